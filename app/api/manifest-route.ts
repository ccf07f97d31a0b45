import type { Route } from './+types/manifest-route';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';

/** The page's background in the light theme, as in `tokens.css`. */
const paper = '#faf9f6';

/** What the site is called and looks like on a home screen. */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const { siteName, tagline } = await readSiteSettings(appServices(context).db);
  const manifest = {
    id: '/',
    name: siteName,
    short_name: siteName,
    description: tagline,
    lang: 'en',
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    background_color: paper,
    theme_color: paper,
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
    shortcuts: [
      { name: 'Deals', url: '/deals' },
      { name: 'Categories', url: '/categories' },
    ],
  };
  return new Response(JSON.stringify(manifest), {
    headers: {
      'content-type': 'application/manifest+json; charset=utf-8',
      'cache-control': 'public, max-age=3600',
    },
  });
}
