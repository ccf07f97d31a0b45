import type { Route } from './+types/manifest-route';
import { iconHash, ownIconAt } from '#app/features/site-settings/brand/icon-files.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { answerConditionally } from './answer-conditionally.server.ts';
import manifest from './manifest.json' with { type: 'json' };

/**
 * Returns the site's name, icons and style for a home screen. The colors are those of the light theme in
 * `tokens.css`.
 */
export async function loader({ context, request }: Route.LoaderArgs): Promise<Response> {
  const { siteName, tagline, iconUrl } = await readSiteSettings(appServices(context).db);
  const names = { name: siteName, short_name: siteName, description: tagline };
  const hash = iconHash(iconUrl);
  const icons = manifest.icons.map(({ src, ...icon }) => ({
    src: (hash && ownIconAt(src, hash)) ?? src,
    ...icon,
  }));
  const body = JSON.stringify({ ...names, ...manifest, icons });
  return answerConditionally(request, body, 'application/manifest+json', 3600);
}
