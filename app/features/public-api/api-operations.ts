import type { z } from 'zod';
import type { ApiKeyRight } from '#database/schema/program-tables.ts';
import { clickDays, clickedDeals, clickedPlaces } from './api-click-schemas.ts';
import {
  checkpointList,
  checkpointQuery,
  dealEvidence,
  witnessedDays,
  witnessedQuery,
} from './api-evidence-schemas.ts';
import {
  clickDaysQuery,
  clickedDealsQuery,
  clickedPlacesQuery,
  couponQuery,
  dealListQuery,
  historyQuery,
  noQuery,
  pageQuery,
  priceCheckQuery,
  searchQuery,
} from './api-parameters.ts';
import { product } from './api-product-schemas.ts';
import {
  category,
  categoryList,
  couponList,
  dealDetail,
  dealList,
  merchant,
  merchantList,
  priceCheck,
  priceHistory,
  searchResult,
} from './api-schemas.ts';

/** An operation of the API. `path` is below `/api/v1`, and its part in braces is `key`. */
export interface ApiOperation<
  Query extends z.ZodObject = z.ZodObject,
  Answer extends z.ZodObject = z.ZodObject,
> {
  id: string;
  path: `/${string}`;
  summary: string;
  description: string;
  query: Query;
  answer: Answer;
  /** The path parameter. */
  key?: { name: string; description: string };
  /** The required permission, or absent if no key is needed. */
  needs?: ApiKeyRight;
  /** Set if the response must not be cached, since its URL reveals what someone is looking at. */
  isPrivate?: true;
  /** An example path below `/api/v1`, for the documentation. */
  example: string;
}

function operation<Query extends z.ZodObject, Answer extends z.ZodObject>(
  given: ApiOperation<Query, Answer>,
): ApiOperation<Query, Answer> {
  return given;
}

const dealKey = { name: 'deal', description: 'Id or slug of the deal. An old slug redirects.' };

export const apiOperations = {
  listDeals: operation({
    id: 'listDeals',
    path: '/deals',
    summary: 'List deals',
    description:
      'Active deals, 24 a page. Live ones come first in the requested order, expired ones after them, newest first. A list ordered by price leaves out deals whose price is currently hidden.',
    query: dealListQuery,
    answer: dealList,
    example: '/deals?type=coupon&sort=discount',
  }),
  getDeal: operation({
    id: 'getDeal',
    path: '/deals/{deal}',
    summary: 'Get a deal',
    description: 'One active deal, with its full description, brand and article number.',
    query: noQuery,
    answer: dealDetail,
    key: dealKey,
    example: '/deals/1',
  }),
  getPriceHistory: operation({
    id: 'getPriceHistory',
    path: '/deals/{deal}/price-history',
    summary: 'Get the price history of a deal',
    description: 'What our own price log has for the deal.',
    query: historyQuery,
    answer: priceHistory,
    key: dealKey,
    example: '/deals/1/price-history?days=365',
  }),
  getDealEvidence: operation({
    id: 'getDealEvidence',
    path: '/deals/{deal}/evidence',
    summary: 'Get the evidence of a deal’s prices',
    description:
      'The proofs that the deal’s prices and voids are in the signed days of our price log. `/evidence` explains how to verify them.',
    query: noQuery,
    answer: dealEvidence,
    key: dealKey,
    example: '/deals/1/evidence',
  }),
  listCheckpoints: operation({
    id: 'listCheckpoints',
    path: '/evidence',
    summary: 'List the signed days of the price log',
    description:
      'One checkpoint per day, each with the hash of the previous one. Keep one to detect changes to older ones.',
    query: checkpointQuery,
    answer: checkpointList,
    example: '/evidence?from=2026-01-01',
  }),
  listWitnessedDays: operation({
    id: 'listWitnessedDays',
    path: '/evidence/witnessed',
    summary: 'List the days that we countersigned for another site',
    description:
      'We keep the signed days of some sites, countersign them, and publish every day that a site rewrote.',
    query: witnessedQuery,
    answer: witnessedDays,
    example: '/evidence/witnessed?site=https%3A%2F%2Fdeals.example',
  }),
  getProduct: operation({
    id: 'getProduct',
    path: '/products/{product}',
    summary: 'Compare the stores of a product',
    description:
      'The live deals of one product, which has the same GTIN at several stores. Totals contain the shipping. Commission plays no part in the order.',
    query: noQuery,
    answer: product,
    key: {
      name: 'product',
      description:
        'Slug of the product, as in `product` of its deals. The slug of a merged product redirects.',
    },
    example: '/products/example-product',
  }),
  search: operation({
    id: 'search',
    path: '/search',
    summary: 'Search',
    description:
      'Deals, categories and stores that match every word, 20 deals per page. Without a key, the limits of the search box apply as well.',
    query: searchQuery,
    answer: searchResult,
    example: '/search?q=headphones',
  }),
  checkPrice: operation({
    id: 'checkPrice',
    path: '/price-check',
    summary: 'Check a price',
    description:
      'What is known about a product of any store, found by its link, then its GTIN, then its name. The link is neither opened nor stored. Without a key the limit of the page `/check` applies as well.',
    query: priceCheckQuery,
    answer: priceCheck,
    isPrivate: true,
    example: '/price-check?url=https%3A%2F%2Fshop.example%2Fproduct&price=1999',
  }),
  listMerchants: operation({
    id: 'listMerchants',
    path: '/merchants',
    summary: 'List stores',
    description: 'All stores by name, 24 a page.',
    query: pageQuery,
    answer: merchantList,
    example: '/merchants',
  }),
  getMerchant: operation({
    id: 'getMerchant',
    path: '/merchants/{merchant}',
    summary: 'Get a store',
    description: 'One store.',
    query: noQuery,
    answer: merchant,
    key: { name: 'merchant', description: 'Slug of the store. An old slug redirects.' },
    example: '/merchants/example-store',
  }),
  listCategories: operation({
    id: 'listCategories',
    path: '/categories',
    summary: 'List categories',
    description: 'All categories by name.',
    query: noQuery,
    answer: categoryList,
    example: '/categories',
  }),
  getCategory: operation({
    id: 'getCategory',
    path: '/categories/{category}',
    summary: 'Get a category',
    description: 'One category.',
    query: noQuery,
    answer: category,
    key: { name: 'category', description: 'Slug of the category. An old slug redirects.' },
    example: '/categories/electronics',
  }),
  listCoupons: operation({
    id: 'listCoupons',
    path: '/coupons',
    summary: 'List coupons',
    description:
      'Codes that can be used now, for all stores or one, newest first, 24 a page. Amounts and percentages in their texts are the store’s claims.',
    query: couponQuery,
    answer: couponList,
    example: '/coupons',
  }),
  listClickDays: operation({
    id: 'listClickDays',
    path: '/clicks',
    summary: 'List clicks by day',
    description:
      'How often visitors followed deals to their stores on each day of a range: for the whole site, or one deal, store, category or feed.',
    query: clickDaysQuery,
    answer: clickDays,
    needs: 'clicks',
    example: '/clicks?days=90',
  }),
  listClickedPlaces: operation({
    id: 'listClickedPlaces',
    path: '/clicks/places',
    summary: 'List clicks by store, category or feed',
    description: 'Stores, categories or feeds by clicks in a range, most clicked first, 24 a page.',
    query: clickedPlacesQuery,
    answer: clickedPlaces,
    needs: 'clicks',
    example: '/clicks/places?by=merchant',
  }),
  listClickedDeals: operation({
    id: 'listClickedDeals',
    path: '/clicks/deals',
    summary: 'List clicks by deal',
    description:
      'Deals with clicks in the last 30 days, most clicked first, 24 a page. Expired and inactive deals are included.',
    query: clickedDealsQuery,
    answer: clickedDeals,
    needs: 'clicks',
    example: '/clicks/deals',
  }),
};

export const apiRoot = '/api/v1';
