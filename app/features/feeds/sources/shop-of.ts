import type { FeedSourceRow } from './feed-source-queries.server.ts';

/** Returns the shop's address from the source, else the merchant, else the feed's own address. */
export function shopOf(
  source: Pick<FeedSourceRow, 'shop_url' | 'website_url' | 'kind' | 'location'>,
): string | null {
  const from = source.kind === 'url' ? URL.parse(source.location)?.origin : null;
  return source.shop_url ?? source.website_url ?? from ?? null;
}
