import { isOwnHost } from '#app/platform/own-hosts.ts';
import { checkPictureUrl, checkUrl, type UrlCheck } from '#app/platform/safe-url.ts';

/**
 * The suffix that WordPress adds to the name of a smaller size or of a picture that it scaled down.
 */
const sizeEnding = /(?:-\d{2,5}x\d{2,5}|-scaled)(?=\.(?:jpe?g|png|gif|webp|avif)$)/i;
const photon = /^i\d\.wp\.com$/;

export interface PrivateHosts {
  /** Hosts in the owner's private network from which pictures may be fetched. */
  privateHosts: readonly string[];
}

/**
 * Checks a picture's URL like `checkPictureUrl`. On a host in the owner's private network, the URL
 * may use http on any port, but it is still stored with https.
 */
export function checkOldPicture(
  address: string,
  privateHosts: PrivateHosts['privateHosts'],
): UrlCheck {
  const checked = checkUrl(address);
  return checked.ok && isOwnHost({ feedPrivateHosts: privateHosts }, checked.url)
    ? { ok: true, url: checked.url.replace(/^http:/, 'https:') }
    : checkPictureUrl(address);
}

/** Returns the https URL of a picture, without the parts that only select a size. */
export function plainPicture(address: string): string {
  const url = URL.parse(address);
  if (!url) return address;
  // Jetpack serves `https://i0.wp.com/old.example/wp-content/…?resize=…`.
  const direct = photon.test(url.hostname) ? URL.parse(`https:/${url.pathname}`) : url;
  if (!direct) return address;
  direct.protocol = 'https:';
  direct.hash = '';
  if (direct.pathname.includes('/wp-content/uploads/')) direct.search = '';
  return direct.href;
}

/** Returns the URL of the original picture for the URL of any of its WordPress sizes. */
export function originalPicture(address: string): string {
  const plain = plainPicture(address);
  const url = URL.parse(plain);
  if (!url?.pathname.includes('/wp-content/uploads/')) return plain;
  url.pathname = originalPath(url.pathname);
  return url.href;
}

export function originalPath(path: string): string {
  return path.replace(sizeEnding, '');
}
