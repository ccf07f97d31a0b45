import { parseRowId } from '#app/platform/parse-row-id.ts';

/** The origin of a visitor who follows a link to a store. */
export type ClickSource =
  | { channel: 'site' | 'feed' | 'mail' | 'elsewhere'; newsletterId: null }
  | { channel: 'newsletter'; newsletterId: number };

const source = (channel: 'site' | 'feed' | 'mail' | 'elsewhere'): ClickSource => ({
  channel,
  newsletterId: null,
});

/**
 * Returns the source of a click: the parameter `from` of the page that contains the link. Links on
 * other sites (API clients have `/out` URLs) have no page of ours as their referrer.
 */
export function readClickSource(referrer: string | null, origin: string): ClickSource {
  const page = referrer === null ? null : URL.parse(referrer);
  if (page?.origin !== origin) return source('elsewhere');
  const from = page.searchParams.get('from');
  if (from === 'feed' || from === 'mail') return source(from);
  const newsletterId = parseRowId(/^newsletter-(\d+)$/.exec(from ?? '')?.[1]);
  return newsletterId === null ? source('site') : { channel: 'newsletter', newsletterId };
}

/** Returns the URL of a page of deals, with the newsletter that links to it. */
export function fromNewsletter(path: string, newsletterId: number): string {
  if (!/^\/(?:deals|categories|merchants|coupons)(?:[/?#]|$)/.test(path)) return path;
  const [, page = '', hash = ''] = /^([^#]*)(#.*)?$/s.exec(path) ?? [];
  return `${page}${page.includes('?') ? '&' : '?'}from=newsletter-${newsletterId}${hash}`;
}
