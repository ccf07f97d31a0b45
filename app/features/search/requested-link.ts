import { isTrackingParameter, pathSession } from '#app/platform/tracking-parameters.ts';

/** characters */
const longest = 2_000;
/** An email address in a path segment. A user's page such as `/@name/` does not match. */
const email = /.(?:@|%40)/i;
const privateNames =
  /\.(?:localhost|local|internal|intranet|lan|home|corp|private|arpa|invalid|onion)\.?$/i;

/**
 * Returns the link of a requested product in the form that staff see: without fragment, campaign
 * and session parameters, and email addresses. Returns `null` for a host in a private network, or
 * if the path contains an email address.
 */
export function requestedLink(link: string): string | null {
  const url = URL.parse(link);
  if (!url || privateNames.test(url.hostname)) return null;
  if (url.pathname.split('/').some((part) => email.test(part))) return null;
  url.hash = '';
  url.pathname = url.pathname.replace(pathSession, '');
  url.search = url.search
    .slice(1)
    .split('&')
    .filter((one) => !isTrackingParameter(one.split('=', 1)[0] ?? '') && !/@|%40/i.test(one))
    .join('&');
  return url.href.length > longest ? null : url.href;
}
