import { isTrackingParameter, pathSession } from '#app/platform/tracking-parameters.ts';
import type { FeedRow } from './feed-fields.ts';
import { toPlainLine } from './feed-text.ts';

const longestId = 255;

/**
 * Returns a product's identity. If a product has no id, readers use its link, which is returned
 * without tracking parameters.
 */
export function readProductId(
  { external_id = '', deal_url }: FeedRow['values'],
  link: string | null,
): string {
  if (link !== null && external_id !== '' && external_id === deal_url) {
    // A relative link identifies a product by its path, so that changing the shop's URL does not
    // change ids.
    return /^(?:\{shop\})?\/(?!\/)/.test(external_id) ? pathId(link) : linkId(link);
  }
  const id = toPlainLine(external_id);
  return external_id === deal_url ? cutId(id) : id;
}

/** Converts a link to an `external_id`. */
export function linkId(link: string): string {
  return cutId(linkKey(link));
}

/** Converts a link's path to an `external_id`, for feeds whose links have no host. */
export function pathId(link: string): string {
  const key = linkKey(link);
  return cutId(key.slice(key.indexOf('/', 'https://'.length)));
}

/** Whether an `external_id` was derived from the link. */
export function isLinkId(id: string, link: string): boolean {
  return id.startsWith('/') ? id === pathId(link) : id === linkId(link);
}

/** Cuts a long link at its start, since its end distinguishes products. */
export function cutId(key: string): string {
  return key.length > longestId ? key.slice(-longestId) : key;
}

/**
 * Normalizes a link for comparison: ignores the protocol, `www`, session and campaign parameters,
 * and the order of parameters. URLs inside parameters are normalized as well.
 */
export function linkKey(link: string, keepsAll = false, depth = 0): string {
  const url = URL.parse(link);
  if (!url) return link;
  const host = url.host.replace(/^www\./, '');
  const path = url.pathname.replace(pathSession, '').replace(/(?<!\/)\/+$/, '') || '/';
  const all = url.search === '' ? [] : url.search.slice(1).split('&');
  const named = all.flatMap((one) => {
    const { name, value } = splitParameter(one);
    if (one === '' || (!keepsAll && isTrackingParameter(name))) return [];
    const inner = depth < 3 && /^https?(?::|%3A)/i.test(value) ? decode(value) : null;
    if (inner === null || !URL.canParse(inner)) return [one];
    return [`${name}=${encodeURIComponent(linkKey(inner, keepsAll, depth + 1))}`];
  });
  const search = named.length > 0 ? `?${named.toSorted().join('&')}` : '';
  const hash = !keepsAll && trackingHash.test(url.hash) ? '' : url.hash;
  return `https://${host}${path}${search}${hash}`;
}

function splitParameter(text: string): { name: string; value: string } {
  const at = text.indexOf('=');
  return at === -1
    ? { name: text, value: '' }
    : { name: text.slice(0, at), value: text.slice(at + 1) };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const trackingHash = /^#(?:$|utm_|xtor=|:~:|gclid=|mtm_|pk_)/i;
