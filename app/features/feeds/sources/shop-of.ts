import type { FeedSourceRow } from './feed-source-queries.server.ts';

/**
 * Returns the shop's URL as given for the source, else for the merchant, else the feed's origin.
 */
export function shopOf(
  source: Pick<FeedSourceRow, 'shop_url' | 'website_url' | 'kind' | 'location'>,
): string | null {
  const isWeb = source.kind === 'url' && /^https?:/i.test(source.location);
  const from = isWeb ? URL.parse(source.location)?.origin : null;
  return source.shop_url ?? source.website_url ?? from ?? null;
}
