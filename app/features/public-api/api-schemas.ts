import { z } from 'zod';
import { unitNames } from '#app/features/deals/net-contents.ts';

/**
 * The schemas of the read API, for input and output. Requests are validated and responses are
 * encoded with these schemas, so undeclared fields are never sent. `/openapi.json` is generated
 * from them.
 */
export const apiSchemas = z.registry<{ id: string }>();

/** Registers a schema as a named component of the document. */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  apiSchemas.add(schema, { id });
  return schema;
}

export const time = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
export const id = z.int().min(1);
export const address = z.string().meta({ format: 'uri' });
export const count = z.int().min(0);

export const money = named(
  'Money',
  z
    .object({
      amount: z.int().describe('The amount in minor units: 1999 is 19.99.'),
      currency: z.string().length(3).describe('The currency by ISO 4217.'),
    })
    .describe('An amount of money.'),
);

const names = { id, name: z.string(), slug: z.string() };
const categoryName = named('CategoryName', z.object(names));
export const merchantName = named('MerchantName', z.object(names));

const price = named(
  'Price',
  z
    .object({
      current: money,
      per_unit: z
        .object({
          amount: z.number().describe('Minor units, with decimals if below ten.'),
          currency: z.string().length(3).describe('The currency by ISO 4217.'),
          quantity: z.number().describe('The number of units that the price is for.'),
          unit: z.enum(unitNames).describe('The unit, as in Google’s product feeds; `ct`: pieces.'),
          text: z.string().describe('The price per unit as text, such as “$12.84 / kg”.'),
        })
        .nullable()
        .describe('The price per unit of the net contents; null if these are unknown.'),
      was: money.nullable().describe('The crossed-out price; null if none may be claimed.'),
      saved: money.nullable(),
      percent: z.int().min(0).max(100).nullable(),
      basis: z
        .enum(['claimed', 'seen', 'usual', 'measured', 'observed', 'none'])
        .describe(
          'The basis of the was-price: the store’s own claim, a price in our own log, the usual price of 90 days, the basis of our discount check, the lowest of the 30 days before, or nothing.',
        ),
      is_unchecked: z
        .boolean()
        .describe('Whether this is a store’s claim that our log is too short to check.'),
      store_percent: z.int().nullable().describe('The store’s percentage; null if it equals ours.'),
      evidence: z.string().describe('The basis of the discount as a sentence.'),
      standing: z
        .enum(['no-history', 'steady', 'lowest-ever', 'lowest-in', 'above-low', 'out-of-stock'])
        .describe('How the price compares with our own log.'),
      standing_text: z.string().describe('This comparison as text, such as “Lowest in 90 days”.'),
      usual: z
        .object({
          price: money.describe('The median of 90 days, weighted by time on offer.'),
          days: z
            .int()
            .min(0)
            .describe('The number of the last 90 days on which we saw the deal on offer.'),
          days_higher: z
            .int()
            .min(0)
            .describe('The number of these days on which it cost more than now.'),
          days_lower: z
            .int()
            .min(0)
            .describe('The number of these days on which it cost less than now.'),
          text: z.string().describe('The usual price as a sentence.'),
        })
        .nullable()
        .describe('The usual price; null if we saw it too briefly.'),
      lowest_ever: money.nullable().describe('The lowest price we ever saw.'),
      lowest_30_days_before: money
        .nullable()
        .describe('The lowest price of the 30 days before the current price began.'),
      since: time.describe('The time when the current price began.'),
    })
    .describe('A price with its evidence.'),
);

const availability = z
  .enum(['in_stock', 'out_of_stock', 'unknown'])
  .describe('The store’s statement when last checked.');

export const dealFields = z.object({
  id,
  slug: z.string(),
  title: z.string(),
  description: z
    .string()
    .describe('The description as plain text; its first 280 characters in lists.'),
  url: address.describe('The address of the deal’s page on this site.'),
  out_url: address.describe('Address that redirects to the store.'),
  image_url: address.nullable(),
  store_host: z.string().describe('The host to which `out_url` redirects.'),
  price: price.nullable().describe('Null while the store’s program requires hiding the price.'),
  price_checked_at: time,
  price_disclaimer: z
    .string()
    .nullable()
    .describe('A text to show beside the price; null if none is required.'),
  coupon_code: z.string().nullable(),
  shipping_cost: money
    .nullable()
    .describe('The deal’s own shipping cost; null if the store states none for it.'),
  net_contents: z
    .string()
    .nullable()
    .describe('The amount in the package, such as `700 g`; with `per 100 g`, the base.'),
  availability,
  status: z.enum(['new', 'used']),
  condition: z.enum(['acceptable', 'good', 'very_good', 'like_new', 'refurbished']).nullable(),
  seller_type: z.enum(['amazon', 'third_party']),
  is_featured: z.boolean(),
  is_expired: z.boolean(),
  expires_at: time.nullable(),
  created_at: time,
  category: categoryName,
  merchant: merchantName,
});
const share = z.number().min(0).max(1);
const forecast = z
  .object({
    share: share.describe('How often the price fell by 5% or more within 30 days, from 0 to 1.'),
    low: share.describe('The lower end of the share’s 80% interval.'),
    high: share.describe('The upper end of the share’s 80% interval.'),
    logged_days: count,
    days_at_about_this_price: count.describe(
      'The logged days at about this price, without the last 30.',
    ),
    text: z.string().describe('The frequency as a sentence, without advice.'),
  })
  .nullable()
  .describe('Null with fewer than 180 logged days or three price changes.');
export const ofProduct = {
  product: named(
    'ProductOfDeal',
    z
      .object({
        slug: z.string(),
        url: address.describe('The page that compares the stores.'),
        other_stores: count.describe('The stores that sell it in the same condition class.'),
        from: money.describe('The lowest of their prices.'),
        includes_shipping: z
          .boolean()
          .describe('Whether `from` contains the shipping; otherwise its cost is unknown.'),
        text: z
          .string()
          .describe(
            'These facts as text, such as “Also at 2 other stores, from $79.99 incl. shipping”.',
          ),
      })
      .describe('The product of a deal that other stores sell, too.'),
  )
    .nullable()
    .describe('Null if no other store is known to sell it.'),
};
export const deal = named(
  'Deal',
  dealFields.extend(ofProduct).describe('A deal as it appears in lists.'),
);
export const dealDetail = named(
  'DealDetail',
  dealFields
    .extend({
      ...ofProduct,
      brand: z.string().nullable(),
      gtin: z.string().nullable(),
      updated_at: time,
      forecast,
    })
    .describe('A deal with all its public details.'),
);

export const category = named(
  'Category',
  z.object({ ...names, description: z.string(), url: address, live_deals: count }),
);

export const merchant = named(
  'Merchant',
  z.object({
    ...names,
    description: z.string(),
    url: address,
    logo_url: address.nullable(),
    website_url: address.nullable(),
    is_featured: z.boolean(),
    live_deals: count,
  }),
);

export const page = named(
  'Page',
  z.object({
    number: z.int().min(1),
    count: z.int().min(1).describe('The number of pages.'),
    size: z.int().min(1),
    total: count.describe('The number of results that can be paged through.'),
    is_total_capped: z.boolean().describe('Whether there are more results than `total`.'),
  }),
);

export const dealList = named(
  'DealList',
  z.object({
    data: z.array(deal),
    page: page.nullable().describe('The page; null with `after`.'),
    next_after: z
      .int()
      .nullable()
      .describe(
        'The value of `after` for the next page; null if there is none, or without `after`.',
      ),
  }),
);
export const merchantList = named('MerchantList', z.object({ data: z.array(merchant), page }));
export const categoryList = named('CategoryList', z.object({ data: z.array(category) }));

const reports = z.object({
  count: count.describe('Visitors in the last 14 days, each counted once a day.'),
  last_at: time.nullable(),
});
export const coupon = named(
  'Coupon',
  z.object({
    id,
    code: z.string(),
    title: z.string(),
    terms: z.string().describe('The store’s terms as plain text.'),
    url: address.describe('Page of the store’s coupons on this site.'),
    out_url: address.nullable().describe('Address that redirects to the store.'),
    starts_at: time.nullable(),
    ends_at: time.nullable(),
    worked: reports.describe('Reports that the code works.'),
    failed: reports.describe('Reports that the code does not work.'),
    merchant: merchantName,
  }),
);
export const couponList = named('CouponList', z.object({ data: z.array(coupon), page }));

export const searchResult = named(
  'SearchResult',
  z.object({
    query: z.string(),
    corrected_query: z
      .string()
      .nullable()
      .describe('The corrected search, if nothing matches the words as typed.'),
    left_out: z
      .array(z.string())
      .describe('If no deal has all words: the words that the returned deals lack.'),
    data: z.array(deal),
    page,
    categories: z.array(category).max(5),
    merchants: z.array(merchant).max(5),
  }),
);

export const historyStates = z
  .enum(['kept', 'not-kept', 'hidden'])
  .describe('`not-kept` and `hidden`: the store’s program requires it, and nothing is returned.');

export const priceHistory = named(
  'PriceHistory',
  z.object({
    deal_id: id,
    state: historyStates,
    data: z
      .array(
        z.object({
          at: time.describe('The time from which the price holds, until the next entry.'),
          price: money,
          availability,
          source: z
            .enum(['admin', 'import', 'feed', 'demo', 'moved'])
            .describe('`moved`: the site did not see this price itself.'),
          moved_from: z
            .string()
            .nullable()
            .describe('The tracker that saw a `moved` price. Its time is the day, in UTC.'),
        }),
      )
      .describe('Oldest first, from the price in force at the beginning of the window.'),
  }),
);

export const priceCheck = named(
  'PriceCheck',
  z.object({
    matched_by: z
      .enum(['link', 'gtin', 'words'])
      .nullable()
      .describe('How the deal was found, null if it was not. `words` may be another product.'),
    matched_text: z.string().nullable().describe('`matched_by` as a sentence.'),
    deal: dealDetail.nullable(),
    asked: z
      .object({
        price: money,
        verdict: z.string().nullable().describe('Where the price stands in our log.'),
        compared: z.string().describe('The price compared with the deal’s.'),
      })
      .nullable()
      .describe('The given price; null without one, in another currency, or without a deal.'),
    others: z
      .array(deal)
      .describe('Other deals of the product; without a product, those with the same GTIN.'),
    nearest: z.array(deal).describe('If no deal was found: deals with similar names.'),
  }),
);

named(
  'Problem',
  z
    .object({
      type: address,
      title: z.string(),
      status: z.int(),
      detail: z.string(),
      reference: z
        .string()
        .describe('Identifies the entry in our log. Include it if you ask about the error.'),
      errors: z.array(z.object({ parameter: z.string(), detail: z.string() })).optional(),
    })
    .describe('A refusal (RFC 9457).'),
);
