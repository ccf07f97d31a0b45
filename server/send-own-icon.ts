import {
  iconHash,
  isUsualIconPath,
  ownIconAt,
} from '#app/features/site-settings/brand/icon-files.ts';
import { cachedSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { safeMethods } from '#server/request-origin.ts';
import { strictPolicy } from '#server/security-headers.ts';
import type { Visit } from '#server/visit.ts';

/**
 * Redirects `/favicon.ico` and the other usual paths to the owner's icon. Without one, or while the
 * gate hides the site, the built-in files are sent.
 */
export async function sendOwnIcon(visit: Visit): Promise<boolean> {
  const { site, pathname, method, response } = visit;
  if (!isUsualIconPath(pathname) || !safeMethods.has(method)) return false;
  if (!(site.gate?.isOpen ?? true)) return false;
  const settings = await cachedSettings(site.services).catch(() => null);
  const hash = settings && iconHash(settings.iconUrl);
  const location = hash && ownIconAt(pathname, hash);
  if (!location) return false;
  response.writeHead(302, {
    ...site.base,
    location,
    'content-security-policy': strictPolicy,
    'cache-control': 'public, max-age=3600',
  });
  response.end();
  return true;
}
