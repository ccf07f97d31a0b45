import { findPresentSlug } from '#app/features/catalog/slug-queries.server.ts';
import { dealExpiry } from '#app/features/deals/deal-expiry.ts';
import { listNewestDeals } from '#app/features/deals/deal-feed-queries.server.ts';
import { judgePrice } from '#app/features/prices/judge-price.ts';
import type { PriceClaim } from '#app/features/prices/price-claims.ts';
import { noProof, type PriceProof } from '#app/features/prices/price-proof.ts';
import { findPriceProofs } from '#app/features/prices/price-proof-queries.server.ts';
import type { DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import { listNewestMatches } from '#app/features/search/search-queries.server.ts';
import { cleanSearchText } from '#app/features/deals/deal-list-input.ts';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';
import { escapeXml } from '#app/platform/escape-xml.ts';
import { formatMoney } from '#app/platform/money.ts';
import type { Db } from '#database/connect.ts';
import type { FeedDocument, FeedEntry } from './feed-document.ts';
import { type SlugLookup, slugLookups } from './slug-lookups.server.ts';

export type DealFeed =
  | { ok: true; document: FeedDocument }
  | { ok: false; reason: 'unknown' | 'contradictory' }
  /** The category or merchant has a new slug. `query` is the query of the feed's new URL. */
  | { ok: false; reason: 'moved'; query: string };

const entriesInFeed = 50;

/**
 * Returns the newest live deals: all, `?category=slug`, `?merchant=slug` (both may be combined), or
 * `?search=text`.
 */
export async function readDealFeed(
  db: Db,
  parameters: URLSearchParams,
  site: PublicSite,
  now: Date,
): Promise<DealFeed> {
  const search = cleanSearchText(parameters.get('search') ?? '');
  const categorySlug = parameters.get('category') ?? '';
  const merchantSlug = parameters.get('merchant') ?? '';
  if (search !== '') {
    if (categorySlug !== '' || merchantSlug !== '') return { ok: false, reason: 'contradictory' };
    const deals = await listNewestMatches(db, search, entriesInFeed);
    return {
      ok: true,
      document: await asDocument(db, deals, site, now, {
        title: `Deals matching “${search}”`,
        homePath: `/deals?${new URLSearchParams({ search })}`,
        query: `?${new URLSearchParams({ search })}`,
      }),
    };
  }

  const category = categorySlug === '' ? null : await slugLookups.category.find(db, categorySlug);
  const merchant = merchantSlug === '' ? null : await slugLookups.merchant.find(db, merchantSlug);
  if ((categorySlug !== '' && !category) || (merchantSlug !== '' && !merchant)) {
    const present = {
      category: category?.slug ?? (await presentSlug(db, slugLookups.category, categorySlug)),
      merchant: merchant?.slug ?? (await presentSlug(db, slugLookups.merchant, merchantSlug)),
    };
    const { category: inCategory, merchant: atMerchant } = present;
    if (inCategory === null || atMerchant === null) return { ok: false, reason: 'unknown' };
    const query = queryOf({ category: inCategory, merchant: atMerchant });
    return { ok: false, reason: 'moved', query };
  }
  const deals = await listNewestDeals(
    db,
    { categoryId: category?.id, merchantId: merchant?.id },
    entriesInFeed,
  );
  const subject = category ? `${category.name} deals` : 'Deals';
  return {
    ok: true,
    document: await asDocument(db, deals, site, now, {
      title: merchant ? `${subject} from ${merchant.name}` : category ? subject : 'Newest deals',
      homePath: merchant
        ? `/merchants/${merchant.slug}`
        : category
          ? `/categories/${category.slug}`
          : '/deals',
      query: queryOf({ category: categorySlug, merchant: merchantSlug }),
    }),
  };
}

/**
 * Returns the current form of a slug, `null` if it never existed, or `undefined` if none was given.
 */
async function presentSlug(db: Db, lookup: SlugLookup, slug: string): Promise<string | null> {
  return slug === '' ? '' : await findPresentSlug(db, lookup.table, slug);
}

function queryOf(parts: Record<string, string>): string {
  const query = new URLSearchParams(Object.entries(parts).filter(([, value]) => value !== ''));
  return query.size > 0 ? `?${query}` : '';
}

async function asDocument(
  db: Db,
  deals: DealSummary[],
  site: PublicSite,
  now: Date,
  head: Pick<FeedDocument, 'title' | 'homePath' | 'query'>,
): Promise<FeedDocument> {
  const proofs = await findPriceProofs(db, deals);
  return {
    ...head,
    title: `${head.title} – ${site.name}`,
    description:
      'The newest deals with their prices at the time of writing. We may earn a commission when you buy through our links.',
    entries: deals.map((deal) => asEntry(deal, proofs.get(deal.id) ?? noProof, site, now)),
  };
}

function asEntry(deal: DealSummary, proof: PriceProof, site: PublicSite, now: Date): FeedEntry {
  const price = judgePrice(deal, proof, site, now);
  const expiry = dealExpiry(deal, now, site.timeZone);
  const lines = [
    price ? priceLine(price.now, price.claim, site.currency) : 'See price at store',
    price?.usual?.sentence ?? '',
    `Sold by ${deal.merchant.name}`,
    deal.merchant.show_price_timestamp ? `Price as of ${inUtc(deal.price_checked_at)}` : '',
    deal.merchant.price_disclaimer ?? '',
    deal.coupon_code ? `Coupon code: ${deal.coupon_code}` : '',
    expiry ? `Ends ${expiry.absolute} (${site.timeZone})` : '',
    deal.description,
  ];
  return {
    // The path has the id: a new title means a new slug, which feed readers would show as another
    // deal.
    permanentPath: `/deals/${deal.id}`,
    path: `/deals/${deal.slug}?from=feed`,
    title: deal.title,
    html: lines
      .filter((line) => line !== '')
      .map((line) => `<p>${escapeXml(line)}</p>`)
      .join(''),
    summary: null,
    image: deal.image_url,
    author: null,
    publishedAt: deal.created_at,
    changedAt: deal.price_since > deal.created_at ? deal.price_since : deal.created_at,
    categories: [deal.category.name],
  };
}

/** Returns a text such as `$79.99, was $149.99 (the store’s claim)`. */
export function priceLine(salePrice: number, claim: PriceClaim, currency: string): string {
  const price = formatMoney(salePrice, currency);
  const store = claim.storePercent === null ? '' : `; store says −${claim.storePercent}%`;
  if (claim.was === null) return `${price}${store}`;
  return `${price}, was ${formatMoney(claim.was, currency)} (${claim.source})${store}`;
}

function inUtc(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
