import { z } from 'zod';
import { webhookEvents } from '#database/schema/program-tables.ts';

/**
 * The schemas of the read API, for input and output. They check the parameters and encode the
 * responses, and unnamed fields are never sent. `/openapi.json` is generated from these schemas.
 */
export const apiSchemas = z.registry<{ id: string }>();

function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  apiSchemas.add(schema, { id });
  return schema;
}

const time = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
export const id = z.int().min(1);
const address = z.string().meta({ format: 'uri' });
const count = z.int().min(0);

export const money = named(
  'Money',
  z
    .object({
      amount: z.int().describe('In minor units: 1999 is 19.99.'),
      currency: z.string().length(3).describe('ISO 4217.'),
    })
    .describe('An amount of money.'),
);

const names = { id, name: z.string(), slug: z.string() };
const categoryName = named('CategoryName', z.object(names));
const merchantName = named('MerchantName', z.object(names));

const price = named(
  'Price',
  z
    .object({
      current: money,
      was: money.nullable().describe('The struck price, where one may be claimed.'),
      saved: money.nullable(),
      percent: z.int().min(0).max(100).nullable(),
      basis: z
        .enum(['claimed', 'seen', 'usual', 'measured', 'observed', 'none'])
        .describe(
          'The basis of the was-price: the store’s own claim, a price in our own log, the usual price of 90 days, the basis of our discount check, the lowest of the 30 days before, or nothing.',
        ),
      is_unchecked: z
        .boolean()
        .describe('The store’s claim, which our log is too short to check: show it as a claim.'),
      store_percent: z
        .int()
        .nullable()
        .describe('The percentage announced by the store, if ours differs.'),
      evidence: z.string().describe('The same as a sentence.'),
      standing: z
        .enum(['no-history', 'steady', 'lowest-ever', 'lowest-in', 'above-low', 'out-of-stock'])
        .describe('How the price compares with our own log.'),
      standing_text: z.string().describe('The same in words, such as “Lowest in 90 days”.'),
      usual: z
        .object({
          price: money.describe('The median of 90 days, weighted by time on offer.'),
          days: z.int().min(0).describe('On how many of the last 90 days we saw it on offer.'),
          days_higher: z.int().min(0).describe('On how many of those it cost more than now.'),
          days_lower: z.int().min(0).describe('On how many it cost less.'),
          text: z.string().describe('The same as a sentence.'),
        })
        .nullable()
        .describe('The usual price; null if we saw it too briefly.'),
      lowest_ever: money.nullable().describe('The lowest price we ever saw.'),
      lowest_30_days_before: money
        .nullable()
        .describe('The lowest of the 30 days before the current price began.'),
      since: time.describe('When the current price began.'),
    })
    .describe('A price with its evidence.'),
);

const availability = z
  .enum(['in_stock', 'out_of_stock', 'unknown'])
  .describe('The store’s statement when last checked.');

const dealFields = z.object({
  id,
  slug: z.string(),
  title: z.string(),
  description: z.string().describe('Plain text. In lists the first 280 characters.'),
  url: address.describe('The deal’s page here.'),
  out_url: address.describe('Redirects to the store.'),
  image_url: address.nullable(),
  store_host: z.string().describe('Where `out_url` leads.'),
  price: price
    .nullable()
    .describe('Null if the store’s programme requires hiding the price by now.'),
  price_checked_at: time,
  price_disclaimer: z.string().nullable().describe('If given, show it beside the price.'),
  coupon_code: z.string().nullable(),
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
    share: share.describe('How often it became at least 5% cheaper within 30 days, from 0 to 1.'),
    low: share.describe('The lower end of its 80% interval.'),
    high: share.describe('The upper end.'),
    logged_days: count,
    days_at_about_this_price: count.describe('Of those, without the last 30.'),
    text: z.string().describe('The same as a sentence. It is a frequency, not advice.'),
  })
  .nullable()
  .describe('Null with less than 180 logged days or three changes of the price.');
export const deal = named('Deal', dealFields.describe('A deal as it appears in lists.'));
export const dealDetail = named(
  'DealDetail',
  dealFields
    .extend({
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

const page = named(
  'Page',
  z.object({
    number: z.int().min(1),
    count: z.int().min(1).describe('The number of pages.'),
    size: z.int().min(1),
    total: count.describe('How many can be paged through.'),
    is_total_capped: z.boolean().describe('True when there are more than `total`.'),
  }),
);

export const dealList = named(
  'DealList',
  z.object({
    data: z.array(deal),
    page: page.nullable().describe('Null with `after`.'),
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
  count: count.describe('Visitors in the last 14 days, each once a day.'),
  last_at: time.nullable(),
});
export const coupon = named(
  'Coupon',
  z.object({
    id,
    code: z.string(),
    title: z.string(),
    terms: z.string().describe('Plain text of the store.'),
    url: address.describe('The store’s coupons here.'),
    out_url: address.nullable().describe('Redirects to the store.'),
    starts_at: time.nullable(),
    ends_at: time.nullable(),
    worked: reports.describe('Reports that the code works.'),
    failed: reports.describe('Reports that it does not.'),
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
      .describe('Words that the deals returned do not have, if no deal has all words.'),
    data: z.array(deal),
    page,
    categories: z.array(category).max(5),
    merchants: z.array(merchant).max(5),
  }),
);

export const priceHistory = named(
  'PriceHistory',
  z.object({
    deal_id: id,
    state: z
      .enum(['kept', 'not-kept', 'hidden'])
      .describe(
        '`not-kept` and `hidden`: the store’s programme requires it, and nothing is returned.',
      ),
    data: z
      .array(
        z.object({
          at: time.describe('The price holds from here until the next entry.'),
          price: money,
          availability,
          source: z.enum(['admin', 'import', 'feed', 'demo']),
        }),
      )
      .describe('Oldest first, starting with the price in force at the beginning of the window.'),
  }),
);

const day = z.iso.date().describe('In UTC.');
const clicks = count.describe('The same visitor on the same deal counts once in half an hour.');
const range = {
  from: day,
  to: day.describe('Whether this is today in UTC, which is not complete yet.'),
};

export const clickDays = named(
  'ClickDays',
  z.object({
    ...range,
    total: count,
    data: z.array(z.object({ day, clicks })).describe('Every day of the range, oldest first.'),
  }),
);

export const clickedPlaces = named(
  'ClickedPlaces',
  z.object({
    ...range,
    data: z.array(
      z.object({
        id: z.int().min(0).describe('0: deals without a feed.'),
        name: z.string().nullable().describe('Null if deleted.'),
        clicks,
      }),
    ),
    page,
  }),
);

export const clickedDeals = named(
  'ClickedDeals',
  z.object({
    ...range,
    data: z.array(
      z.object({
        id,
        slug: z.string(),
        title: z.string(),
        url: address,
        merchant: merchantName,
        is_live: z.boolean(),
        clicks,
      }),
    ),
    page,
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
      reference: z.string().describe('Identifies the entry in our log, should you ask about it.'),
      errors: z.array(z.object({ parameter: z.string(), detail: z.string() })).optional(),
    })
    .describe('A refusal (RFC 9457).'),
);

export const webhookMessage = named(
  'WebhookMessage',
  z
    .object({
      type: z.enum([...webhookEvents, 'ping']),
      timestamp: time.describe('When it happened.'),
      data: z.object({
        deal: z
          .object({ id, slug: z.string(), title: z.string(), url: address, api_url: address })
          .optional(),
        price: money
          .nullable()
          .optional()
          .describe('At that time. Null if the store’s programme requires hiding it.'),
        previous_price: money.nullable().optional(),
        alert_id: id
          .optional()
          .describe('For `alert.fired`. Nothing else about an alert is revealed.'),
      }),
    })
    .describe('The body of a webhook. A ping has no data.'),
);
