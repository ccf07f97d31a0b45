import { z } from 'zod';
import { clickRanges } from '#app/features/clicks/click-range.ts';
import { listSorts, searchSorts } from '#app/features/deals/deal-sorts.ts';
import { dealConditions } from '#database/schema/catalog-tables.ts';
import { deepestPage } from '#app/platform/page-number.ts';
import { id } from './api-schemas.ts';

// The parameters of API requests. Amounts are in minor units, as in responses.

const slug = z.string().regex(/^[a-z0-9-]{1,200}$/);
const amount = z.int().min(0).max(2_147_483_647);
const pageNumber = z.int().min(1).max(deepestPage).default(1);
const bound = (which: string) =>
  amount
    .optional()
    .describe(`${which} sale price, in minor units. Leaves out deals whose price is hidden.`);
const prices = { min_price: bound('Lowest'), max_price: bound('Highest') };

const places = {
  category: slug.optional().describe('Slug of a category.'),
  merchant: slug.optional().describe('Slug of a store.'),
};

const bestFirst =
  '`best`: by the percentage below the usual price of our own log; `unit_price`: by weight, volume, length, area and pieces, each from the lowest price per unit. Other deals follow.';
const evidence = z
  .enum(['low', 'fell'])
  .optional()
  .describe(
    'From our own log. `low`: the lowest price in 90 days, after a higher one. `fell`: the same for 7 days. Leaves out deals whose price is hidden.',
  );

const off = z
  .int()
  .min(1)
  .max(99)
  .optional()
  .describe('The minimum discount in percent. Leaves out deals whose price is hidden.');
const brand = z.string().min(1).max(100).optional().describe('The name of the brand, in any case.');
const condition = z.enum(dealConditions).optional().describe('The condition of used products.');

const after = z
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER)
  .optional()
  .describe(
    'For copying the whole catalog: the deals with a higher id, lowest first, 100 per response, each once whatever changes meanwhile. Start with 0, and continue with the last id or the `next` link. Takes no other parameter.',
  );

export const dealListQuery = z.strictObject({
  page: pageNumber,
  after,
  sort: z.enum(listSorts).default('newest').describe(bestFirst),
  ...places,
  status: z.enum(['new', 'used']).optional(),
  condition,
  seller: z.enum(['amazon', 'third_party']).optional(),
  type: z
    .enum(['featured', 'coupon', 'expiring'])
    .optional()
    .describe('`expiring`: deals that end within 72 hours.'),
  evidence,
  brand,
  off,
  ...prices,
});

export const searchQuery = z.strictObject({
  q: z.string().min(2).max(100).describe('The search words.'),
  page: pageNumber,
  sort: z.enum(searchSorts).default('relevance').describe(bestFirst),
  ...places,
  condition,
  evidence,
  brand,
  off,
  ...prices,
  exact: z
    .enum(['0', '1'])
    .default('0')
    .describe('`1`: searches as typed, without spelling correction.'),
});

export const historyQuery = z.strictObject({
  days: z
    .enum(['30', '90', '365', 'all'])
    .default('90')
    .describe('The number of days to go back. At most the newest 1,000 entries are returned.'),
});

export const priceCheckQuery = z.strictObject({
  url: z.string().min(1).max(2_000).optional().describe('The product’s page at any store.'),
  title: z.string().min(1).max(4_000).optional().describe('The product’s name.'),
  text: z
    .string()
    .min(1)
    .max(4_000)
    .optional()
    .describe('A shared text that contains the link or the name.'),
  gtin: z
    .string()
    .max(40)
    .optional()
    .describe('The number below the barcode: 8, 12, 13 or 14 digits.'),
  price: amount.min(1).optional().describe('A price to compare, in minor units of its currency.'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional()
    .describe(
      'The currency of `price` by ISO 4217, by default the site’s. A price in another currency is not compared.',
    ),
});

const clickDayCount = z
  .enum(clickRanges.map(({ days }) => String(days)))
  .default('30')
  .describe('The number of days to go back, ending with today.');
const clickPlace = {
  ...places,
  feed: z.int().min(0).optional().describe('Id of a feed; 0: deals without a feed.'),
};

export const clickDaysQuery = z.strictObject({
  days: clickDayCount,
  ...clickPlace,
  deal: id
    .optional()
    .describe(
      'Id of a deal. Use at most one of the parameters `merchant`, `category`, `feed` and `deal`.',
    ),
});
export const clickedPlacesQuery = z.strictObject({
  by: z.enum(['merchant', 'category', 'feed']),
  days: clickDayCount,
  page: pageNumber,
});
export const clickedDealsQuery = z.strictObject({ ...clickPlace, page: pageNumber });

export const couponQuery = z.strictObject({ merchant: places.merchant, page: pageNumber });
export const pageQuery = z.strictObject({ page: pageNumber });
export const noQuery = z.strictObject({});
