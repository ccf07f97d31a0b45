import type { z } from 'zod';
import { cleanSearchText, type DealFilter } from '#app/features/deals/deal-list-input.ts';
import {
  type DealSummary,
  listDeals,
  pageSize,
} from '#app/features/deals/deal-list-queries.server.ts';
import {
  type DealDetail,
  findDealById,
  findDealBySlug,
  findDealRedirect,
  listDealsAfter,
} from '#app/features/deals/deal-queries.server.ts';
import { isPriceHidden } from '#app/features/prices/hide-price.ts';
import { parseHistoryDays } from '#app/features/prices/price-history-days.ts';
import { readPriceHistory } from '#app/features/prices/price-history-queries.server.ts';
import { findPriceNotes } from '#app/features/prices/price-notes-queries.server.ts';
import { noProof } from '#app/features/prices/price-proof.ts';
import { findPriceProofs } from '#app/features/prices/price-proof-queries.server.ts';
import { findOtherStores } from '#app/features/products/find-other-stores.server.ts';
import { apiOperations, apiRoot } from '#app/features/public-api/api-operations.ts';
import type { priceHistory } from '#app/features/public-api/api-schemas.ts';
import { asMoney, encodeDeal, encodeDealDetail } from '#app/features/public-api/encode-deal.ts';
import { encodeCategory, encodeMerchant } from '#app/features/public-api/encode-shop.ts';
import { dealsPerSearchPage, searchCatalog } from '#app/features/search/search-queries.server.ts';
import type { ParameterError } from '#app/platform/api-problem.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import type { Db } from '#database/connect.ts';
import { findIdBySlug, slugLookups } from '../slug-lookups.server.ts';
import { type ApiCall, type ApiResult, apiAnswer, beyondLast } from './answer-api.server.ts';

const shortestQuery = 2;

export const listDealsAnswer = apiAnswer(
  apiOperations.listDeals,
  async ({ services: { db }, site, now, query }) => {
    if (query.after !== undefined)
      return listAfter(db, { ...query, after: query.after }, { site, now });
    const places = await findPlaces(db, query);
    if (!places.ok) return places;
    const list = await listDeals(
      { db },
      {
        filter: {
          ...places.filter,
          status: query.status,
          condition: query.condition,
          sellerType: query.seller,
          dealType: query.type,
          evidence: query.evidence,
          brand: query.brand && cleanSearchText(query.brand),
          off: query.off,
          minPrice: query.min_price,
          maxPrice: query.max_price,
        },
        sort: query.sort,
        page: query.page,
        priceClaims: site.priceClaims,
        isEveryDeal: true,
      },
    );
    if (query.page > list.pageCount) return beyondLast(query.page, list.pageCount);
    const page = {
      number: list.page,
      count: list.pageCount,
      size: pageSize,
      total: list.total,
      is_total_capped: list.isTotalCapped,
    };
    const data = await encodeDeals(db, list.deals, { site, now });
    return { ok: true, answer: { data, page, next_after: null } };
  },
);

const mostAfter = 100;

/**
 * Lists deals by id, which never changes, so that a client that follows the list sees every deal
 * once.
 */
async function listAfter(
  db: Db,
  {
    after,
    page,
    sort,
    ...filters
  }: z.output<typeof apiOperations.listDeals.query> & { after: number },
  call: Pick<ApiCall, 'site' | 'now'>,
): Promise<ApiResult<typeof apiOperations.listDeals.answer>> {
  const given = { ...filters, page: page > 1 || undefined, sort: sort !== 'newest' || undefined };
  const errors = Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([parameter]) => ({ parameter, detail: 'Cannot be combined with `after`.' }));
  if (errors.length > 0) return { ok: false, status: 422, errors };
  const deals = await listDealsAfter(db, after, mostAfter + 1);
  const shown = deals.slice(0, mostAfter);
  const next_after = deals.length > mostAfter ? (shown.at(-1)?.id ?? null) : null;
  return { ok: true, answer: { data: await encodeDeals(db, shown, call), page: null, next_after } };
}

export const dealAnswer = apiAnswer(
  apiOperations.getDeal,
  async ({ services: { db }, site, now, key }) => {
    const asked = await findAskedDeal(db, key);
    if (!asked.ok) return asked;
    const facts = await readDealFacts(db, asked.deal, now);
    return { ok: true, answer: encodeDealDetail(asked.deal, facts, site, now) };
  },
);

/** Reads the evidence and the other stores that the API returns with a deal. */
export async function readDealFacts(db: Db, deal: DealDetail, now: Date) {
  const [proofs, { forecast }, others] = await Promise.all([
    findPriceProofs(db, [deal]),
    findPriceNotes(db, deal),
    findOtherStores(db, [deal.id], now),
  ]);
  return {
    proof: proofs.get(deal.id) ?? noProof,
    forecast,
    otherStores: others.get(deal.id),
  };
}

export function historyState(deal: DealDetail, now: Date): z.output<typeof priceHistory>['state'] {
  if (!deal.merchant.keep_history) return 'not-kept';
  return isPriceHidden(deal, now) ? 'hidden' : 'kept';
}

// Returns a deal's price history. Rejects if the merchant's program forbids it.
export const priceHistoryAnswer = apiAnswer(
  apiOperations.getPriceHistory,
  async ({ services: { db }, site, now, query, key }) => {
    const asked = await findAskedDeal(db, key, '/price-history');
    if (!asked.ok) return asked;
    const { deal } = asked;
    const state = historyState(deal, now);
    const log =
      state === 'kept' ? await readPriceHistory(db, deal.id, parseHistoryDays(query.days)) : [];
    const data = log.map(({ at, sale_price, availability, source, moved_from = null }) => ({
      at,
      price: asMoney(sale_price, site.currency),
      availability,
      source,
      moved_from,
    }));
    return { ok: true, answer: { deal_id: deal.id, state, data } };
  },
);

export const searchAnswer = apiAnswer(
  apiOperations.search,
  async ({ services, site, now, query: { q, page, ...query }, anonymousAddress }) => {
    const text = cleanSearchText(q);
    if (text.length < shortestQuery) {
      const detail = `Must be at least ${shortestQuery} characters long.`;
      return { ok: false, status: 422, errors: [{ parameter: 'q', detail }] };
    }
    const places = await findPlaces(services.db, query);
    if (!places.ok) return places;
    if (anonymousAddress !== null) {
      for (const name of ['search-burst', 'search'] as const) {
        const admitted = await limit(services, name, anonymousAddress);
        if (!admitted.ok) return { ...admitted, status: 429 };
      }
    }
    const found = await searchCatalog(services.db, {
      query: text,
      sort: query.sort,
      filter: {
        ...places.filter,
        condition: query.condition,
        evidence: query.evidence,
        brand: query.brand && cleanSearchText(query.brand),
        off: query.off,
        minPrice: query.min_price,
        maxPrice: query.max_price,
      },
      page,
      isExact: query.exact === '1',
      isEveryDeal: true,
    });
    if (page > found.pageCount) return beyondLast(page, found.pageCount);
    return {
      ok: true,
      answer: {
        query: found.query,
        corrected_query: found.correctedQuery,
        left_out: found.alternatives[0]?.without ?? [],
        data: await encodeDeals(services.db, found.deals, { site, now }),
        page: {
          number: found.page,
          count: found.pageCount,
          size: dealsPerSearchPage,
          total: found.total,
          is_total_capped: found.isTotalCapped,
        },
        categories: found.categories.map((category) => encodeCategory(category, site.origin)),
        merchants: found.merchants.map((merchant) => encodeMerchant(merchant, site.origin)),
      },
    };
  },
);

/** The operations that return deals. */
export const dealAnswers = [listDealsAnswer, dealAnswer, priceHistoryAnswer, searchAnswer];

/**
 * Encodes deals with their price evidence and other stores. The number of queries does not grow
 * with the number of deals.
 */
export async function encodeDeals(
  db: Db,
  deals: DealSummary[],
  call: Pick<ApiCall, 'site' | 'now'>,
) {
  const ids = deals.map(({ id }) => id);
  const [proofs, others] = await Promise.all([
    findPriceProofs(db, deals),
    findOtherStores(db, ids, call.now),
  ]);
  return deals.map((deal) => {
    const proof = proofs.get(deal.id) ?? noProof;
    return encodeDeal(deal, { proof, otherStores: others.get(deal.id) }, call.site, call.now);
  });
}

type FoundPlaces =
  | { ok: true; filter: Pick<DealFilter, 'categoryId' | 'merchantId'> }
  | { ok: false; status: 422; errors: ParameterError[] };

/** Finds the category and store filters of a list by their slugs. */
async function findPlaces(
  db: Db,
  query: { category?: string | undefined; merchant?: string | undefined },
): Promise<FoundPlaces> {
  const categoryId = await findIdBySlug(db, slugLookups.category, query.category);
  const merchantId = await findIdBySlug(db, slugLookups.merchant, query.merchant);
  if (categoryId !== null && merchantId !== null) {
    return { ok: true, filter: { categoryId, merchantId } };
  }
  const unknown = { category: categoryId, merchant: merchantId };
  const errors = (['category', 'merchant'] as const)
    .filter((parameter) => unknown[parameter] === null)
    .map((parameter) => ({ parameter, detail: slugLookups[parameter].unknown }));
  return { ok: false, status: 422, errors };
}

type AskedDeal =
  | { ok: true; deal: DealDetail }
  | { ok: false; status: 404; detail: string }
  | { ok: false; status: 301; location: string };

/** Finds the active deal named by id or slug. `rest` is the part of the path after the name. */
export async function findAskedDeal(db: Db, key: string, rest = ''): Promise<AskedDeal> {
  const id = parseRowId(key);
  const deal = (id === null ? null : await findDealById(db, id)) ?? (await findDealBySlug(db, key));
  if (deal) return { ok: true, deal };
  const slug = await findDealRedirect(db, key);
  return slug === null
    ? { ok: false, status: 404, detail: 'No active deal has this id or slug.' }
    : { ok: false, status: 301, location: `${apiRoot}/deals/${slug}${rest}` };
}
