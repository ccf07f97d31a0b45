import { namedDeals, splitAtDeals } from '#app/features/blog/content-deals.ts';
import { sanitisePost } from '#app/features/blog/sanitise-post.server.ts';
import { listDealsByIds } from '#app/features/deals/deal-list-queries.server.ts';
import { dealTags, firstEnd } from '#app/features/deals/page-tags.ts';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { PricedDeal } from '#app/features/prices/price-deals.server.ts';
import { showDeals } from './show-deals.server.ts';

/** A post's content as shown on pages: sanitized HTML, with deals between its parts. */
export interface ShownContent {
  parts: (string | PricedDeal)[];
  /** The cache tags of all its deals. */
  tags: string[];
  /** The time when its first deal expires. */
  until: Date | null;
}

/**
 * Prepares a post's content for a page. As in newsletters, deleted and expired deals are omitted.
 */
export async function showPostContent(
  services: Pick<AppServices, 'db' | 'env' | 'log' | 'now'>,
  content: string,
  settings: SiteSettings,
): Promise<ShownContent> {
  const { db, env, now } = services;
  const clean = sanitisePost(content, env.origin, { hasDeals: true });
  const named = namedDeals(clean);
  if (named.length === 0) return { parts: [clean], tags: [], until: null };
  const ids = named.map(({ id }) => id);
  const live = (await listDealsByIds(db, ids)).filter(({ is_expired }) => !is_expired);
  const priced = await showDeals(services, live, settings, now());
  const cards = new Map(priced.map((one) => [one.deal.id, one]));
  const parts = splitAtDeals(clean).flatMap((part): (string | PricedDeal)[] => {
    // Sanitizing again closes elements that are left open where a deal was inside another element.
    if (typeof part === 'string') return [sanitisePost(part, env.origin)];
    const card = cards.get(part);
    return card ? [card] : [];
  });
  return { parts, tags: dealTags([...named, ...live]), until: firstEnd(live) };
}
