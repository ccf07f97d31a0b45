import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as fc from '#test/fast-check.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { addClicks } from '#app/features/clicks/click-queries.server.ts';
import { apiOperations } from '#app/features/public-api/api-operations.ts';
import { createApiKey } from '#app/features/public-api/create-api-key.server.ts';
import { apiProblems, keyProblems } from '#app/platform/api-problem.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { insertCoupon } from '#test/factories/a-coupon.ts';
import {
  insertCategory,
  insertDeal,
  insertMerchant,
  insertProduct,
  insertUser,
} from '#test/factories/insert.ts';
import { apiKeyRights } from '#database/schema/program-tables.ts';
import { useTestDatabase } from '#test/database.ts';
import { useStoppedClock } from '#test/stopped-clock.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';
import type { ParsedJson } from '#test/parsed-json.ts';

const database = useTestDatabase();
useStoppedClock();
const withLimits = (limits: string) =>
  testSite(database, {
    env: readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, RATE_LIMITS: limits }),
  });
const site = withLimits('api-address=0, search=0, search-burst=0');
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: ParsedJson;
}

async function ask(path: string, init?: RequestInit): Promise<Answer> {
  const response = await site.request(path, init);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text === '' ? null : JSON.parse(text),
  };
}

/**
 * Returns a function that checks a response against the document's schema by an independent
 * validator.
 */
async function validatorOf(schema: string): Promise<(answer: unknown) => string[]> {
  const { json } = await ask('/openapi.json');
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(json as AnySchema, 'openapi');
  const validate = ajv.compile({ $ref: `openapi#/components/schemas/${schema}` });
  return (answer) =>
    validate(answer)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

async function aKeyOfEverything(): Promise<string> {
  const { id: actor } = await insertUser(database.db, { role: 'admin' });
  const all = { name: 'All', perMinute: null, rights: [...apiKeyRights] };
  const made = await createApiKey(database.db, { actor, ...all });
  return made.ok ? made.key : '';
}

let drill: Awaited<ReturnType<typeof insertDeal>>;

beforeEach(async () => {
  const { db } = database;
  const tools = await insertCategory(db, { slug: 'tools', name: 'Tools' });
  const shop = await insertMerchant(db, { slug: 'shop', name: 'Shop' });
  drill = await insertDeal(db, {
    slug: 'drill',
    title: 'Cordless drill',
    sale_price: 7999,
    original_price: 14_999,
    image_url: '/media/drill.webp',
    category_id: tools.id,
    merchant_id: shop.id,
    expires_at: new Date(Date.now() + 86_400_000),
  });
});

describe('the OpenAPI document', () => {
  // Proves Design: `/openapi.json` for machines (openapi-document.ts)
  test('publishes a document that passes an OpenAPI 3.1 validator', async () => {
    const { json, headers } = await ask('/openapi.json');
    const validator = new Validator();
    const result = await validator.validate(structuredClone(json));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('lists every operation with its parameters, defaults and limits in the OpenAPI document', async () => {
    const { paths, servers } = (await ask('/openapi.json')).json;
    expect(servers).toEqual([{ url: `${testOrigin}/api/v1` }]);
    expect(Object.keys(paths).toSorted()).toEqual(
      Object.values(apiOperations)
        .map(({ path }) => path)
        .toSorted(),
    );
    const parameters = paths['/deals'].get.parameters;
    const page = { type: 'integer', minimum: 1, maximum: 500, default: 1 };
    expect(parameters[0]).toMatchObject({ name: 'page', in: 'query', required: false });
    expect(parameters[0].schema).toEqual(page);
    expect(paths['/search'].get.parameters[0]).toMatchObject({ name: 'q', required: true });
  });

  test('states in the OpenAPI document the key right that each operation requires', async () => {
    const { paths, components } = (await ask('/openapi.json')).json;
    expect(components.securitySchemes.apiKey.description).toContain('`clicks` (Read clicks)');
    expect(paths['/deals'].get.security).toEqual([{}, { apiKey: [] }]);
    expect(paths['/clicks'].get.security).toEqual([{ apiKey: ['clicks'] }]);
    expect(paths['/clicks'].get.responses).toMatchObject({
      401: { $ref: '#/components/responses/KeyNeeded' },
      403: { $ref: '#/components/responses/RightNeeded' },
    });
    expect(Object.keys(paths['/deals'].get.responses)).not.toContain('403');
  });

  test('describes every response correctly in the OpenAPI document', async () => {
    await insertDeal(database.db, { expires_at: daysAgo(1), image_url: null });
    const { id: product_id, gtin } = await insertProduct(database.db);
    await insertDeal(database.db, { slug: 'pen', product_id, gtin });
    await insertDeal(database.db, { product_id, gtin });
    await insertCoupon(database.db);
    const witnessed = { role: 'witnessed', address: 'https://deals.example' } as const;
    await database.db.insertInto('evidence_sites').values(witnessed).execute();
    const asked: Record<string, [path: string, schema: string]> = {
      listDeals: ['/deals', 'DealList'],
      getDeal: ['/deals/drill', 'DealDetail'],
      getPriceHistory: ['/deals/drill/price-history', 'PriceHistory'],
      search: ['/search?q=drill', 'SearchResult'],
      getProduct: ['/products/pen', 'Product'],
      getDealEvidence: ['/deals/drill/evidence', 'DealEvidence'],
      listCheckpoints: ['/evidence', 'CheckpointList'],
      listWitnessedDays: ['/evidence/witnessed?site=https://deals.example', 'WitnessedDays'],
      checkPrice: ['/price-check?title=cordless%20drill&price=100', 'PriceCheck'],
      listMerchants: ['/merchants', 'MerchantList'],
      getMerchant: ['/merchants/shop', 'Merchant'],
      listCategories: ['/categories', 'CategoryList'],
      getCategory: ['/categories/tools', 'Category'],
      listCoupons: ['/coupons', 'CouponList'],
      listClickDays: ['/clicks', 'ClickDays'],
      listClickedPlaces: ['/clicks/places?by=category', 'ClickedPlaces'],
      listClickedDeals: ['/clicks/deals', 'ClickedDeals'],
    };
    expect(Object.keys(asked).toSorted()).toEqual(Object.keys(apiOperations).toSorted());
    await insertCoupon(database.db);
    await addClicks(database.db, [{ dealId: drill.id, day: '2026-01-01', count: 1 }]);
    const authorization = `Bearer ${await aKeyOfEverything()}`;
    for (const [path, schema] of Object.values(asked)) {
      const { status, json } = await ask(`/api/v1${path}`, { headers: { authorization } });
      expect([path, status, (await validatorOf(schema))(json)]).toEqual([path, 200, []]);
    }
    const refused = await ask('/api/v1/deals?page=none');
    expect((await validatorOf('Problem'))(refused.json)).toEqual([]);
  });
});

describe('deals', () => {
  // Proves P2: money in minor units in the API (api-schemas.ts)
  test('P2: returns deals with amounts in minor units with currency, ISO 8601 times and absolute links', async () => {
    const { json } = await ask('/api/v1/deals/drill');
    expect(json).toMatchObject({
      id: drill.id,
      url: `${testOrigin}/deals/drill`,
      out_url: `${testOrigin}/out/${drill.id}`,
      image_url: `${testOrigin}/media/drill.webp`,
      expires_at: drill.expires_at?.toISOString(),
      category: { slug: 'tools' },
      price: {
        current: { amount: 7999, currency: 'USD' },
        was: { amount: 14_999, currency: 'USD' },
        basis: 'claimed',
        evidence: expect.stringContaining('own claim'),
        standing: 'no-history',
      },
    });
    expect(Object.keys(json)).not.toContain('deal_url');
  });

  // Proves P7, P7a: evidence in the API (encode-deal.ts)
  test('P7: includes the log’s evidence with a deal', async () => {
    const deal = await insertDeal(database.db, {
      slug: 'lamp',
      price_source: 'demo',
      sale_price: 1000,
      original_price: 2000,
    });
    for (const [days, sale_price] of [
      [60, 2000],
      [5, 1000],
    ] as const) {
      await database.db
        .insertInto('price_log')
        .values({
          deal_id: deal.id,
          at: daysAgo(days),
          sale_price,
          availability: 'in_stock',
          source: 'feed',
        })
        .execute();
    }
    const { price } = (await ask('/api/v1/deals/lamp')).json;
    expect(price).toMatchObject({
      basis: 'seen',
      standing: 'lowest-in',
      standing_text: 'Lowest in 60 days',
      lowest_ever: { amount: 1000 },
    });
    const history = (await ask(`/api/v1/deals/${deal.id}/price-history?days=all`)).json;
    expect(history).toMatchObject({ deal_id: deal.id, state: 'kept' });
    expect(history.data.map((entry: { price: object }) => entry.price)).toEqual([
      { amount: 2000, currency: 'USD' },
      { amount: 1000, currency: 'USD' },
    ]);
  });

  // Proves P3: no inactive deal in the API (deal-answers.server.ts)
  test('P3: never returns an inactive deal', async () => {
    const hidden = await insertDeal(database.db, {
      slug: 'secret-drill',
      title: 'Secret drill',
      is_active: false,
    });
    for (const path of [
      `/deals/${hidden.id}`,
      '/deals/secret-drill',
      '/deals/secret-drill/price-history',
    ])
      expect([path, (await ask(`/api/v1${path}`)).status]).toEqual([path, 404]);
    expect((await ask('/api/v1/deals')).text).not.toContain('ecret');
    expect((await ask('/api/v1/search?q=drill')).text).not.toContain('ecret');
  });

  // Proves P4: expired after live in the API (deal-answers.server.ts)
  test('P4: lists expired deals after live ones in every sort order', async () => {
    const over = await insertDeal(database.db, { sale_price: 1, expires_at: daysAgo(1) });
    for (const sort of ['newest', 'discount', 'best', 'price_low', 'price_high', 'unit_price']) {
      const { data } = (await ask(`/api/v1/deals?sort=${sort}`)).json;
      expect(data.map(({ id }: { id: number }) => id)).toEqual([drill.id, over.id]);
      expect(data[1].is_expired).toBe(true);
    }
  });

  test('filters and sorts deals by our own price log', async () => {
    const lamp = await insertDeal(database.db, {
      title: 'Brass lamp',
      sale_price: 5000,
      price_since: daysAgo(40),
    });
    const idsOf = async (path: string) =>
      (await ask(`/api/v1${path}`)).json.data.map(({ id }: { id: number }) => id);
    expect(await idsOf('/deals?evidence=low')).toEqual([]);
    await database.db
      .updateTable('deals')
      .set({ sale_price: 4000 })
      .where('id', '=', lamp.id)
      .execute();
    const newer = await insertDeal(database.db, { title: 'Glass lamp' });
    for (const evidence of ['low', 'fell']) {
      expect(await idsOf(`/deals?evidence=${evidence}`)).toEqual([lamp.id]);
      expect(await idsOf(`/search?q=lamp&evidence=${evidence}`)).toEqual([lamp.id]);
    }
    expect((await idsOf('/deals?sort=best'))[0]).toBe(lamp.id);
    expect(await idsOf('/search?q=lamp&sort=best')).toEqual([lamp.id, newer.id]);
    expect(await idsOf('/search?q=lamp&sort=newest')).toEqual([newer.id, lamp.id]);
  });

  test('filters deals by condition, brand and discount', async () => {
    const used = { status: 'used', condition: 'refurbished', original_price: 10_000 } as const;
    const ofLumo = { ...used, brand: 'Lúmo' };
    const lamp = await insertDeal(database.db, { title: 'Lamp', sale_price: 4_000, ...ofLumo });
    await insertDeal(database.db, { title: 'Lamp', sale_price: 4_000, ...used });
    await insertDeal(database.db, { title: 'Lamp', sale_price: 6_000, ...ofLumo });
    await insertDeal(database.db, { title: 'Lamp', sale_price: 3_000, original_price: 10_000 });
    for (const list of ['/deals?', '/search?q=lamp&']) {
      const { json } = await ask(`/api/v1${list}condition=refurbished&off=60&brand=LUMO`);
      expect(json.data.map(({ id }: { id: number }) => id)).toEqual([lamp.id]);
      expect((await ask(`/api/v1${list}off=100`)).status).toBe(422);
      expect((await ask(`/api/v1${list}brand=%00`)).json.data).toEqual([]);
    }
  });

  // Proves P35d: hidden prices and unkept histories (encode-deal.ts)
  test('P35d: never returns a price that its store wants hidden, or its history', async () => {
    const merchant = await insertMerchant(database.db, { hide_price_after_hours: 24 });
    await insertDeal(database.db, {
      slug: 'old-price',
      title: 'Old price drill',
      sale_price: 123_457,
      original_price: 234_567,
      price_checked_at: daysAgo(2),
      merchant_id: merchant.id,
    });
    for (const path of [
      '/deals',
      '/deals/old-price',
      '/deals/old-price/price-history?days=all',
      '/search?q=drill',
    ]) {
      const { status, text } = await ask(`/api/v1${path}`);
      expect([path, status, /123457|234567|1234\.57|1,234/.test(text)]).toEqual([path, 200, false]);
    }
    expect((await ask('/api/v1/deals/old-price')).json.price).toBeNull();
    expect((await ask('/api/v1/deals/old-price/price-history')).json.state).toBe('hidden');
  });

  // Proves P35d: hidden prices and unkept histories
  test('P35d: does not reveal a hidden price by filters, sorting or totals', async () => {
    const merchant = await insertMerchant(database.db, {
      slug: 'hides',
      hide_price_after_hours: 24,
    });
    const deal = { title: 'Hidden drill', sale_price: 5000, merchant_id: merchant.id };
    await insertDeal(database.db, { ...deal, price_checked_at: daysAgo(2) });
    const of = async (address: string) => {
      const { data, page } = (await ask(`/api/v1${address}`)).json;
      return [data.length, page.total];
    };
    expect(await of('/deals?merchant=hides')).toEqual([1, 1]);
    for (const asked of [
      'min_price=1',
      'max_price=9999999',
      'sort=best',
      'sort=price_low',
      'sort=price_high',
    ]) {
      expect([asked, await of(`/deals?merchant=hides&${asked}`)]).toEqual([asked, [0, 0]]);
      expect([asked, await of(`/search?q=hidden&exact=1&${asked}`)]).toEqual([asked, [0, 0]]);
    }
    expect(await of('/search?q=hidden')).toEqual([1, 1]);
  });

  test('P35d: returns no history if the store’s program forbids it', async () => {
    const merchant = await insertMerchant(database.db, { keep_history: false });
    const deal = await insertDeal(database.db, { merchant_id: merchant.id });
    await database.db
      .insertInto('price_log')
      .values({ deal_id: deal.id, sale_price: 5, availability: 'in_stock', source: 'feed' })
      .execute();
    const { json } = await ask(`/api/v1/deals/${deal.id}/price-history`);
    expect(json).toEqual({ deal_id: deal.id, state: 'not-kept', data: [] });
  });

  test('returns the deals that match each filter', async () => {
    await insertDeal(database.db, { sale_price: 100, coupon_code: 'TEN', status: 'used' });
    const found = async (query: string) =>
      (await ask(`/api/v1/deals?${query}`)).json.data.map(({ slug }: { slug: string }) => slug);
    expect(await found('category=tools')).toEqual(['drill']);
    expect(await found('merchant=shop&min_price=7999&max_price=7999')).toEqual(['drill']);
    expect(await found('max_price=7998')).not.toContain('drill');
    expect(await found('type=coupon')).not.toContain('drill');
    expect(await found('status=new')).toEqual(['drill']);
    expect(await found('type=expiring&seller=third_party')).toEqual(['drill']);
  });

  test('P6: redirects from a deal’s old slug, and from an old slug in a filter', async () => {
    await database.db
      .updateTable('deals')
      .set({ slug: 'drill-2' })
      .where('id', '=', drill.id)
      .execute();
    await database.db.updateTable('categories').set({ slug: 'tool-box' }).execute();
    const moved = await ask('/api/v1/deals/drill/price-history?days=30');
    expect(moved.status).toBe(301);
    expect(moved.headers.get('location')).toBe(
      `${testOrigin}/api/v1/deals/drill-2/price-history?days=30`,
    );
    expect((await ask('/api/v1/categories/tools')).headers.get('location')).toBe(
      `${testOrigin}/api/v1/categories/tool-box`,
    );
    expect((await ask('/api/v1/deals?category=tools')).json.data).toHaveLength(1);
  });
});

describe('paging', () => {
  beforeEach(async () => {
    const { category_id, merchant_id } = drill;
    for (let n = 0; n < 25; n++) await insertDeal(database.db, { category_id, merchant_id });
  });

  // Proves P5: pages in the API (page-links.ts)
  test('P5: returns the position of a page, and links to the pages around it (RFC 8288)', async () => {
    const { json, headers } = await ask('/api/v1/deals?sort=price_low&page=2');
    expect(json.page).toEqual({ number: 2, count: 2, size: 24, total: 26, is_total_capped: false });
    expect(json.data).toHaveLength(2);
    const base = `${testOrigin}/api/v1/deals?sort=price_low`;
    expect(headers.get('link')).toBe(
      `<${base}>; rel="first", <${base}&page=2>; rel="last", <${base}>; rel="prev"`,
    );
    expect((await ask('/api/v1/deals')).headers.get('link')).toContain('?page=2>; rel="next"');
    expect((await ask('/api/v1/categories')).headers.has('link')).toBe(false);
  });

  test('returns 404 beyond the last page of the API', async () => {
    for (const path of ['/deals?page=3', '/merchants?page=2', '/search?q=drill&page=9']) {
      const { status, json } = await ask(`/api/v1${path}`);
      expect([path, status]).toEqual([path, 404]);
      expect(json.detail).toMatch(/^There is no page \d: the list has \d\.$/);
    }
  });
});

describe('responses', () => {
  test('keeps the same strong ETag until something changes', async () => {
    const first = await ask('/api/v1/deals/drill');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    expect(first.headers.get('cache-control')).toBe('public, max-age=60');
    const again = (tag: string) =>
      ask('/api/v1/deals/drill', { headers: { 'if-none-match': tag } });
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*', etag.replace(/"$/, '-br"')]) {
      const answer = await again(tag);
      expect([tag, answer.status, answer.text]).toEqual([tag, 304, '']);
      expect(answer.headers.get('etag')).toContain(etag.slice(0, -1));
    }
    expect((await again('"other"')).status).toBe(200);
    await database.db.updateTable('deals').set({ title: 'Another drill' }).execute();
    expect((await again(etag)).status).toBe(200);
  });

  test('lets pages of any site read the API, and never depends on a cookie', async () => {
    for (const path of ['/api/v1/deals', '/api/v1/deals/none', '/openapi.json', '/api/v1/x']) {
      const { headers } = await ask(path, { headers: { origin: 'https://elsewhere.example' } });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.has('access-control-allow-credentials')).toBe(false);
      expect(headers.get('access-control-expose-headers')).toContain('Link');
    }
  });

  test('returns only JSON, and rejects another Accept header', async () => {
    const status = async (accept: string) =>
      (await ask('/api/v1/categories', { headers: { accept } })).status;
    expect(await status('text/html')).toBe(406);
    expect(await status('application/json;q=0, */*')).toBe(406);
    expect(await status('text/html, */*;q=0.1')).toBe(200);
    expect(await status('application/json')).toBe(200);
    expect(await status('application/*')).toBe(200);
  });

  test('responds to HEAD without a body, and with the headers of GET', async () => {
    const head = await site.request('/api/v1/deals', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    expect(head.headers.get('etag')).toBe((await ask('/api/v1/deals')).headers.get('etag'));
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('rejects %s with a message', async (method) => {
    for (const path of ['/api/v1/deals', '/api/v1/deals/drill', '/openapi.json', '/api/v1/x']) {
      const { status, headers, json } = await ask(path, { method });
      expect([path, status, headers.get('allow')]).toEqual([path, 405, 'GET, HEAD, OPTIONS']);
      expect(json.title).toBe('The API is read-only');
    }
  });
});

describe('errors', () => {
  test('R23: returns errors as problem details with a reference and the invalid parameter', async () => {
    const { status, headers, json } = await ask('/api/v1/deals?page=0&sort=dearest&categry=tools');
    expect(status).toBe(422);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(json).toEqual({
      type: `${testOrigin}/developers#invalid-parameters`,
      title: 'Some parameters are invalid',
      status: 422,
      detail: 'See the list of errors.',
      reference: 'test-request',
      errors: [
        { parameter: 'page', detail: 'Must be at least 1.' },
        {
          parameter: 'sort',
          detail: 'Must be one of newest, discount, best, price_low, price_high, unit_price.',
        },
        { parameter: 'categry', detail: 'There is no such parameter.' },
      ],
    });
  });

  test.each([
    ['/deals?page=1.5', 'page', 'Must be a whole number.'],
    ['/deals?page=1&page=2', 'page', 'Use this parameter only once.'],
    ['/deals?page=501', 'page', 'Must be at most 500.'],
    ['/deals?category=none', 'category', 'No category has this slug.'],
    ['/deals?merchant=none', 'merchant', 'No store has this slug.'],
    ['/deals?category=%27', 'category', 'Has an invalid format.'],
    ['/search', 'q', 'It is required.'],
    ['/search?q=a', 'q', 'Must be at least 2 characters long.'],
    ['/search?q=%E2%80%8B%E2%80%8B', 'q', 'Must be at least 2 characters long.'],
    ['/deals/drill/price-history?days=7', 'days', 'Must be one of 30, 90, 365, all.'],
  ])('rejects the query %s, naming the parameter %s', async (path, parameter, detail) => {
    const { status, json } = await ask(`/api/v1${path}`);
    expect([status, json.errors]).toEqual([422, [{ parameter, detail }]]);
  });

  test('returns 404 for unknown URLs of the API', async () => {
    for (const path of [
      '/deals/none',
      '/deals/999999',
      '/merchants/none',
      '/categories/none',
      '',
      '/x/y',
    ])
      expect([path, (await ask(`/api/v1${path}`)).status]).toEqual([path, 404]);
  });

  test('R35: returns 503 with Retry-After while the database is down', async () => {
    const error = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    const db = new Proxy(database.db, {
      get() {
        throw error;
      },
    });
    const away = testSite(database, { db });
    const response = await away.request('/api/v1/deals');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.json()).toMatchObject({ status: 503, reference: 'test-request' });
  });

  // Proves R23: problem details, never a 5xx from input (answer-api.server.ts)
  test('R23: never returns a 500 from the API for any input', async () => {
    const names = [
      'page',
      'sort',
      'category',
      'merchant',
      'min_price',
      'q',
      'days',
      'exact',
      '__proto__',
    ];
    const paths = ['/deals', '/search', '/merchants', '/categories', '/deals/drill/price-history'];
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.nat().map(String));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.array(fc.tuple(fc.oneof(fc.constantFrom(...names), text), text), { maxLength: 4 }),
        fc.oneof(fc.constant(''), text),
        async (path, parameters, key) => {
          const asked = key === '' ? path : `/deals/${encodeURIComponent(key.toWellFormed())}`;
          const query = new URLSearchParams(parameters);
          const { status } = await site.request(`/api/v1${asked}?${query}`);
          return status < 500;
        },
      ),
      { numRuns: 300, seed: 9 },
    );
  });

  test('explains every error that the API document names', async () => {
    const { components } = (await ask('/openapi.json')).json;
    const described = Object.values<{ description: string }>(components.responses);
    const titles = Object.values({ ...apiProblems, ...keyProblems }).map(({ title }) => title);
    for (const { description } of described) expect(titles).toContain(description);
  });
});

describe('limits', () => {
  test('R12: reports the remaining requests to an IP address, and rejects beyond the limit with Retry-After', async () => {
    const limited = withLimits('api-address=2/60');
    const first = await limited.request('/api/v1/categories');
    expect(first.headers.get('ratelimit-policy')).toBe('"anonymous";q=2;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"anonymous";r=1;t=\d+$/);
    await limited.request('/api/v1/deals?page=x'); // A rejected request counts as well.
    const refused = await limited.request('/api/v1/categories');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit')).toMatch(/^"anonymous";r=0;t=\d+$/);
    expect(await refused.json()).toMatchObject({ status: 429, title: 'Too many requests' });
    const other = await limited.request('/api/v1/categories', { address: '192.0.2.77' });
    expect(other.status).toBe(200);
  });

  test('R12: counts a search through the API towards the search box’s limits', async () => {
    const limited = withLimits('api-address=0, search-burst=1/10');
    expect((await limited.request('/api/v1/search?q=drill')).status).toBe(200);
    expect((await limited.request('/api/v1/search?q=drill')).status).toBe(429);
  });
});
