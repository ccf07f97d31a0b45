import { findPresentSlug } from '#app/features/catalog/slug-queries.server.ts';
import { dealExpiry } from '#app/features/deals/deal-expiry.ts';
import { findDealVersions } from '#app/features/deals/deal-feed-queries.server.ts';
import { judgePrice } from '#app/features/prices/judge-price.ts';
import type { PriceClaim } from '#app/features/prices/price-claims.ts';
import { noProof, type PriceProof } from '#app/features/prices/price-proof.ts';
import {
  findOtherStores,
  type OtherStores,
} from '#app/features/products/find-other-stores.server.ts';
import { writeAlsoAt } from '#app/features/products/offer-words.ts';
import { findPriceProofs } from '#app/features/prices/price-proof-queries.server.ts';
import type { DealSummary } from '#app/features/deals/deal-list-queries.server.ts';
import { listNewestMatches } from '#app/features/search/search-queries.server.ts';
import { cleanSearchText } from '#app/features/deals/deal-list-input.ts';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';
import { escapeXml } from '#app/platform/escape-xml.ts';
import { formatMoney } from '#app/platform/money.ts';
import type { Db } from '#database/connect.ts';
import { type DealFeedName, dealFeedKinds, entriesInFeed } from './deal-feed-kinds.server.ts';
import type { CalendarEvent, FeedDocument, FeedEntry } from './feed-document.ts';
import { type SlugLookup, slugLookups } from './slug-lookups.server.ts';

export type DealFeed =
  | { ok: true; document: FeedDocument }
  | { ok: false; reason: 'unknown' | 'contradictory' }
  /** The category or merchant has a new slug. `query` is the query of the feed's new URL. */
  | { ok: false; reason: 'moved'; query: string };

const disclosure = 'We may earn a commission when you buy through our links.';

/**
 * Returns the newest live deals, price drops or deals that end soon. `?category=slug` and
 * `?merchant=slug` filter them and may be combined. The newest deals can also be filtered by
 * `?search=text`.
 */
export async function readDealFeed(
  db: Db,
  name: DealFeedName,
  parameters: URLSearchParams,
  site: PublicSite,
  now: Date,
): Promise<DealFeed> {
  const kind = dealFeedKinds[name];
  const search = cleanSearchText(parameters.get('search') ?? '');
  const categorySlug = parameters.get('category') ?? '';
  const merchantSlug = parameters.get('merchant') ?? '';
  if (search !== '') {
    if (categorySlug !== '' || merchantSlug !== '' || name !== 'deals')
      return { ok: false, reason: 'contradictory' };
    const deals = await listNewestMatches(db, search, entriesInFeed);
    return {
      ok: true,
      document: await asDocument(db, name, deals, site, now, {
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
  const place = { categoryId: category?.id, merchantId: merchant?.id };
  const deals = await kind.list(db, place, entriesInFeed);
  const subject = category ? `${category.name} ${kind.subject}` : capitalize(kind.subject);
  const path = merchant
    ? `/merchants/${merchant.slug}`
    : category
      ? `/categories/${category.slug}`
      : '/deals';
  return {
    ok: true,
    document: await asDocument(db, name, deals, site, now, {
      title: merchant ? `${subject} from ${merchant.name}` : category ? subject : kind.title,
      homePath: path + kind.homeQuery,
      query: queryOf({ category: categorySlug, merchant: merchantSlug }),
    }),
  };
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
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
  name: DealFeedName,
  deals: DealSummary[],
  site: PublicSite,
  now: Date,
  head: Pick<FeedDocument, 'title' | 'homePath' | 'query'>,
): Promise<FeedDocument> {
  const ids = deals.map(({ id }) => id);
  const [proofs, otherStores, versions] = await Promise.all([
    findPriceProofs(db, deals),
    findOtherStores(db, ids, null),
    name === 'ending-soon' ? findDealVersions(db, ids) : null,
  ]);
  return {
    ...head,
    title: `${head.title} – ${site.name}`,
    description: `${dealFeedKinds[name].description} ${disclosure}`,
    entries: deals.map((deal) => {
      const facts = { proof: proofs.get(deal.id) ?? noProof, others: otherStores.get(deal.id) };
      const { entry, lines } = asEntry(name, deal, facts, site, now);
      const event = eventOf(deal, lines, versions?.get(deal.id));
      return event ? { ...entry, event } : entry;
    }),
  };
}

function asEntry(
  name: DealFeedName,
  deal: DealSummary,
  { proof, others }: { proof: PriceProof; others: OtherStores | undefined },
  site: PublicSite,
  now: Date,
): { entry: FeedEntry; lines: string[] } {
  const price = judgePrice(deal, proof, site, now);
  const expiry = dealExpiry(deal, now, site.timeZone);
  const { line = '', ...head } = dealFeedKinds[name].headOf(deal, price, { now, site });
  const lines = [
    price ? priceLine(price.now, price.claim, site.currency) : 'See price at store',
    line,
    price?.usual?.sentence ?? '',
    `Sold by ${deal.merchant.name}`,
    deal.merchant.show_price_timestamp ? `Price as of ${inUtc(deal.price_checked_at)}` : '',
    deal.merchant.price_disclaimer ?? '',
    deal.coupon_code ? `Coupon code: ${deal.coupon_code}` : '',
    expiry ? `Ends ${expiry.absolute} (${site.timeZone})` : '',
    deal.description,
  ].filter((text) => text !== '');
  // Calendar events omit this line, since their sequence number does not grow with prices of other
  // stores.
  const alsoAt = others ? [writeAlsoAt(others, site.currency)] : [];
  const entry = {
    ...head,
    path: `/deals/${deal.slug}?from=feed`,
    html: [...lines, ...alsoAt].map((text) => `<p>${escapeXml(text)}</p>`).join(''),
    summary: null,
    image: deal.image_url,
    author: null,
    categories: [deal.category.name],
  };
  return { entry, lines };
}

/**
 * Calendars rarely show the description of the whole calendar, so each event has the disclosure.
 */
function eventOf(
  { id, title, expires_at: endsAt }: DealSummary,
  lines: string[],
  version: { version: number; updated_at: Date } | undefined,
): CalendarEvent | null {
  if (!version || !endsAt) return null;
  return {
    id: `deal-${id}`,
    endsAt,
    title: `Ends: ${title}`,
    text: [...lines, disclosure].join('\n'),
    sequence: version.version,
    changedAt: version.updated_at,
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
