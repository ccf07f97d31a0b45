import { requestedLink } from '#app/features/search/requested-link.ts';

/** characters of a link in a request, in encoded form; the site accepts 2,048 in total */
const longest = 1_400;
const personal =
  /token|sess|(?:^|[_.-])(?:sid|uid|sig)$|e?mail|phone|order|auth|jwt|api.?key|passw|secret|signature|login|user|account|customer|cart|basket|checkout/i;
/** Another link or further parameters in a value, and signed tokens. */
const nested = /[?&;]|:\/\/|%(?:3f|26|3b|3a%2f)|(?:^|=)eyJ[\w-]+\./i;

/**
 * Returns the link that names a page's product, or null for a page that is not on the web. A
 * canonical link counts only if it is one of the same site. Fragments, names, passwords and
 * parameters that may belong to a person or a session are removed.
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
 * Whether an address is on the public web: neither an IP address nor a name in a private network.
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
