import { requestedLink } from '#app/features/search/requested-link.ts';

/** characters of a URL-encoded link in a request; the site accepts 2,048 in total */
const longest = 1_400;
const personal =
  /token|sess|(?:^|[_.-])(?:sid|uid|sig)$|e?mail|phone|order|auth|jwt|api.?key|passw|secret|signature|login|user|account|customer|cart|basket|checkout/i;
/** Values that contain a link, further parameters or a signed token. */
const nested = /[?&;]|:\/\/|%(?:3f|26|3b|3a%2f)|(?:^|=)eyJ[\w-]+\./i;

/**
 * Returns the link that identifies a page's product, or null for a page that is not on the web.
 * Uses the canonical link only if it is on the same site. Removes fragments, user names, passwords,
 * and parameters that may identify a person or session.
 */
export function productLink(address: string, canonical: string): string | null {
  const page = URL.parse(address);
  if (!page || !isPublic(page)) return null;
  const named = canonical === '' ? null : URL.parse(canonical, page);
  const isOwn = named && isPublic(named) && withoutWww(named) === withoutWww(page);
  const link = isOwn ? named : page;
  link.username = '';
  link.password = '';
  for (const [name, value] of new URLSearchParams(link.search)) {
    if (personal.test(name) || nested.test(`${name}=${value}`))
      link.searchParams.delete(name, value);
  }
  const cleaned = requestedLink(link.href);
  if (cleaned === null || lengthOf(cleaned) <= longest) return cleaned;
  const short = cleaned.replace(/\?.*$/s, '');
  return lengthOf(short) <= longest ? short : null;
}

/**
 * Returns whether a host is on the public web, and is neither an IP address nor a name in a private
 * network.
 */
function isPublic({ protocol, hostname }: URL): boolean {
  return /^https?:$/.test(protocol) && /\.[a-z][a-z0-9-]*\.?$/i.test(hostname);
}

function withoutWww({ host }: URL): string {
  return host.replace(/^www\./, '');
}

function lengthOf(link: string): number {
  return encodeURIComponent(link).length;
}
