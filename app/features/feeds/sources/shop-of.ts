import type { FeedSourceRow } from './feed-source-queries.server.ts';

/** What was said at the source, else at the merchant, else where the feed itself comes from. */
export function shopOf(
  source: Pick<FeedSourceRow, 'shop_url' | 'website_url' | 'kind' | 'location'>,
): string | null {
  const from = source.kind === 'url' ? URL.parse(source.location)?.origin : null;
  return source.shop_url ?? source.website_url ?? from ?? null;
}
