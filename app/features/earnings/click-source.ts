import { parseRowId } from '#app/platform/parse-row-id.ts';

/** The place from which a visitor follows a link to a store. */
export type ClickSource =
  | { channel: 'feed' | 'mail' | 'elsewhere'; newsletterId: null }
  /** `slotId` is the ad or announcement that was clicked, if any. */
  | { channel: 'site'; newsletterId: null; slotId?: number }
  /** `link` is the position of the clicked link; older sub-ids lack it. */
  | { channel: 'newsletter'; newsletterId: number; link?: number };

/**
 * Returns the source of a click from the `from` parameter of the referring page. Clicks on other
 * sites, where API clients show `/out` URLs, have no referrer on this site.
 */
export function readClickSource(referrer: string | null, origin: string): ClickSource {
  const page = referrer === null ? null : URL.parse(referrer);
  if (page?.origin !== origin) return { channel: 'elsewhere', newsletterId: null };
  const from = page.searchParams.get('from') ?? '';
  if (from === 'feed' || from === 'mail') return { channel: from, newsletterId: null };
  const [, newsletter, position] = /^newsletter-(\d+)(?:-(\d{1,4}))?$/.exec(from) ?? [];
  const [newsletterId, link] = [parseRowId(newsletter), parseRowId(position)];
  if (newsletterId !== null)
    return { channel: 'newsletter', newsletterId, ...(link === null ? {} : { link }) };
  const slotId = parseRowId(/^slot-(\d+)$/.exec(from)?.[1]);
  return { channel: 'site', newsletterId: null, ...(slotId === null ? {} : { slotId }) };
}

/** Adds the source of clicks to the URL of a page of deals or of a link to a store. */
export function withSource(
  path: string,
  from: `newsletter-${number}-${number}` | `slot-${number}`,
) {
  if (!/^\/(?:deals|categories|merchants|coupons|out)(?:[/?#]|$)/.test(path)) return path;
  const [, page = '', hash = ''] = /^([^#]*)(#.*)?$/s.exec(path) ?? [];
  return `${page}${page.includes('?') ? '&' : '?'}from=${from}${hash}`;
}
