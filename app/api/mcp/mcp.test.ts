import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import { createApiKey } from '#app/features/public-api/create-api-key.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { useStoppedClock } from '#test/stopped-clock.ts';
import {
  insertCategory,
  insertDeal,
  insertMerchant,
  insertProduct,
  insertUser,
} from '#test/factories/insert.ts';
import { hostileTitles } from '#test/hostile-titles.ts';
import { testOrigin } from '#test/origin.ts';
import { textOf } from '#test/render-component.tsx';
import { testSite, type TestSite } from '#test/site.ts';
import type { ParsedJson } from '#test/parsed-json.ts';

// The tests use the official client, in both supported revisions.

const database = useTestDatabase();
useStoppedClock();
const withLimits = (limits: string) =>
  testSite(database, {
    env: readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, RATE_LIMITS: limits }),
  });
const site = withLimits('api-address=0, search=0, search-burst=0');
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

type Mode = 'legacy' | { pin: '2026-07-28' };

async function connect(mode: Mode, asked: TestSite = site, key = ''): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(`${testOrigin}/mcp`), {
    fetch: (url, init) => asked.request(new URL(url).pathname, init),
    ...(key && { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
  });
  await client.connect(transport);
  return client;
}

async function call(
  name: string,
  given: Record<string, unknown>,
  client?: Client,
): Promise<ParsedJson> {
  const asked = client ?? (await connect({ pin: '2026-07-28' }));
  const result = await asked.callTool({ name, arguments: given });
  if (!client) await asked.close();
  return result.isError ? { refused: result.content[0] } : result.structuredContent;
}

const gtin = '4006381333931';
let product: Awaited<ReturnType<typeof insertProduct>>;
let drill: Awaited<ReturnType<typeof insertDeal>>;

beforeEach(async () => {
  const { db } = database;
  const tools = await insertCategory(db, { slug: 'tools', name: 'Tools' });
  const shop = await insertMerchant(db, { slug: 'shop', name: 'Shop' });
  product = await insertProduct(db);
  drill = await insertDeal(db, {
    slug: 'drill',
    title: 'Cordless drill',
    description: 'Eighteen volts.',
    sale_price: 7999,
    original_price: 14_999,
    gtin,
    product_id: product.id,
    price_source: 'demo',
    category_id: tools.id,
    merchant_id: shop.id,
  });
  for (const [days, sale_price] of [
    [60, 12_000],
    [20, 9900],
    [5, 7999],
  ] as const) {
    await db
      .insertInto('price_log')
      .values({
        deal_id: drill.id,
        at: daysAgo(days),
        sale_price,
        availability: 'in_stock',
        source: 'feed',
      })
      .execute();
  }
});

describe.each<[string, Mode]>([
  ['2026-07-28', { pin: '2026-07-28' }],
  ['2025-11-25', 'legacy'],
])('an assistant of revision %s', (_revision, mode) => {
  test('lists seven read-only tools to an assistant of any revision and calls each', async () => {
    const client = await connect(mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'search_deals',
      'get_deal',
      'compare_offers',
      'price_history',
      'price_check',
      'list_places',
      'list_coupons',
    ]);
    for (const { annotations, inputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    }
    const asked: [string, Record<string, unknown>][] = [
      ['search_deals', { query: 'drill' }],
      ['search_deals', {}],
      ['get_deal', { deal: 'drill' }],
      ['compare_offers', { product: 'pen' }],
      ['price_history', { deal: drill.id }],
      ['price_check', { price: 79.99, title: 'cordless drill' }],
      ['list_places', { kind: 'category' }],
      ['list_places', { kind: 'store' }],
      ['list_coupons', {}],
      ['list_coupons', { store: 'shop' }],
    ];
    for (const [name, given] of asked) {
      const result = await client.callTool({ name, arguments: given });
      expect([name, result.isError ?? false]).toEqual([name, false]);
      const told: ParsedJson = result.structuredContent;
      expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(told) }]);
      expect(Date.parse(told.as_of)).toBeGreaterThan(Date.now() - 60_000);
      expect(told.currency).toBe('USD');
      expect(told.ranking).toContain('Commission does not affect');
      expect(told.ranking).toContain(`${testOrigin}/how-we-rank`);
      expect(JSON.stringify(told)).toContain(`${testOrigin}/`);
      expect(JSON.stringify(told)).toContain('"evidence":[');
      expect(JSON.stringify(told)).not.toContain('/out/');
    }
    await client.close();
  });
});

describe('a tool’s response', () => {
  test('returns from an MCP tool exactly what the page shows', async () => {
    const page = textOf((await site.page('/deals/drill')).html);
    const { deal } = await call('get_deal', { deal: `${testOrigin}/deals/drill` });
    for (const words of [
      deal.price.current.shown,
      deal.price.was.shown,
      ...deal.evidence,
      deal.by_store.title,
    ]) {
      expect(page).toContain(words);
    }
    expect(deal.price.current).toEqual({ shown: '$79.99', minor_units: 7999, currency: 'USD' });
    expect(deal).not.toHaveProperty('by_store.description');
    const history = await call('price_history', { deal: 'drill' });
    expect(page).toContain(history.evidence[0]);
    expect(history.entries.map((entry: ParsedJson) => entry.price.minor_units)).toEqual([
      12_000, 9900, 7999,
    ]);
    const described = await call('get_deal', { deal: drill.id, with_description: true });
    expect(described.deal.by_store.description).toBe('Eighteen volts.');
  });

  test('filters a tool’s response as requested, and links to the same list on the site', async () => {
    const { category_id, merchant_id } = drill;
    await insertDeal(database.db, {
      title: 'Hand drill',
      sale_price: 900,
      category_id,
      merchant_id,
    });
    await insertDeal(database.db, { title: 'Drill elsewhere', sale_price: 900 });
    const found = async (given: Record<string, unknown>) => {
      const told = await call('search_deals', given);
      const shown = await site.page(told.page.slice(testOrigin.length));
      const titles = told.deals.map((deal: ParsedJson) => deal.by_store.title);
      for (const title of titles) expect(shown.html).toContain(title);
      return titles.toSorted();
    };
    expect(await found({ query: 'drill', store: 'shop', category: 'tools' })).toEqual([
      'Cordless drill',
      'Hand drill',
    ]);
    expect(await found({ query: 'drill', store: 'shop', max_price: 9 })).toEqual(['Hand drill']);
    expect(await found({ store: 'shop', min_price: 79.99, sort: 'discount' })).toEqual([
      'Cordless drill',
    ]);
    expect(await found({ category: 'tools', sort: 'price_low' })).toHaveLength(2);
    expect(await found({ category: 'tools', evidence: 'fell' })).toEqual(['Cordless drill']);
  });

  test('compares a price with the log in an MCP tool: charged now, before, or never', async () => {
    const check = async (given: Record<string, unknown>) => {
      const { checks, evidence } = await call('price_check', given);
      const [one] = checks;
      return one ? [one.agrees_with_log, one.current_is] : evidence;
    };
    expect(await check({ price: 79.99, gtin })).toEqual(['now', 'the same']);
    expect(await check({ price: 99, gtin: `0${gtin}` })).toEqual(['before', 'lower']);
    expect(await check({ price: 50, url: `${testOrigin}/deals/drill` })).toEqual([
      'never',
      'higher',
    ]);
    expect(await check({ price: 50, gtin: '12345678' })).toEqual(['No deal here matches.']);
    const unknown = await call('price_check', { price: 50, url: 'https://else.example/zorkmid' });
    expect([unknown.matched_by, unknown.checks]).toEqual(['url', []]);
    const link = `https://else.example/p/${gtin}`;
    const linked = await call('price_check', { price: 79.99, url: link });
    expect([linked.matched_by, linked.checks[0].agrees_with_log]).toEqual(['gtin', 'now']);
    expect(linked.checks[0].deal.page).toBe(`${testOrigin}/deals/drill`);
    const told = await call('price_check', { price: 79.99, title: 'cordless drill' });
    expect(told.matched_by).toBe('title');
    expect(told.checks[0].deal.evidence.at(-1)).toContain('watched since');
  });

  test('describes a price in an MCP tool’s response with the API’s sentences', async () => {
    const { checks } = await call('price_check', { price: 99.5, gtin });
    const response = await site.request(`/api/v1/price-check?gtin=${gtin}&price=9950`);
    const { asked }: ParsedJson = await response.json();
    expect(asked.verdict).toContain('$99.50, usually $120: lower than on 40 of the last 60 days');
    expect(checks[0]).toMatchObject({ verdict: asked.verdict, compared: asked.compared });
  });

  test('finds a product through an MCP tool when no price is given', async () => {
    const { asked, checks } = await call('price_check', { gtin: '4006381333931' });
    expect(asked).toBeNull();
    expect(Object.keys(checks[0])).toEqual(['deal']);
    expect(checks[0].deal.page).toBe(`${testOrigin}/deals/drill`);
  });

  test('P35d: omits from a tool’s response a price that its store wants hidden, and a history that it forbids', async () => {
    const hides = await insertMerchant(database.db, { hide_price_after_hours: 1 });
    const forgets = await insertMerchant(database.db, { keep_history: false });
    const number = '96385074';
    await insertDeal(database.db, {
      slug: 'hidden',
      gtin: number,
      sale_price: 4321,
      merchant_id: hides.id,
      price_checked_at: daysAgo(2),
    });
    await insertDeal(database.db, { slug: 'unkept', sale_price: 4321, merchant_id: forgets.id });
    const hidden = await call('get_deal', { deal: 'hidden' });
    expect(hidden.deal.price).toBeNull();
    const checked = await call('price_check', { price: 43.21, gtin: number });
    expect(checked.checks[0]).toMatchObject({ agrees_with_log: 'unknown', current_is: 'hidden' });
    expect(checked.checks[0]).toMatchObject({
      verdict: null,
      compared: expect.stringContaining('hides'),
    });
    expect(checked.checks[0].last_began_at_that_price).toBeNull();
    const unkept = await call('price_history', { deal: 'unkept', days: 'all' });
    expect([unkept.state, unkept.entries]).toEqual(['not-kept', []]);
  });

  test('names the other stores of a deal, and compares them', async () => {
    const { db } = database;
    const { id: hides } = await insertMerchant(db, { hide_price_after_hours: 1 });
    const offer = { gtin, product_id: product.id, status: 'new' as const };
    const old = { price_checked_at: daysAgo(2), merchant_id: hides, sale_price: 4321 };
    await insertDeal(db, { ...offer, slug: 'hidden', ...old });
    await insertDeal(db, { ...offer, slug: 'other', sale_price: 6000, shipping_cost: 500 });
    const { deal } = await call('get_deal', { deal: 'drill' });
    expect(deal.other_stores).toEqual({
      product: 'pen',
      text: 'Also at 1 other store, from $65.00 incl. shipping',
    });
    const told = await call('compare_offers', { product: deal.other_stores.product });
    expect(told).toMatchObject({
      page: `${testOrigin}/products/pen`,
      stores: 2,
      from: { shown: '$65.00' },
      from_includes_shipping: true,
      offers: [{ total: { minor_units: 6500 }, deal: { price: { current: { shown: '$60.00' } } } }],
      shipping_not_stated: [{ total: null, deal: { id: drill.id } }],
      not_compared: [{ total: null, deal: { price: null } }],
    });
    expect(JSON.stringify(told)).not.toContain('4321');
    await insertProduct(db, { slug: 'old-pen', gtin: '96385074', merged_into: product.id });
    expect(await call('compare_offers', { product: 'old-pen' })).toEqual(told);
  });

  test('states how many offers of a product are left out of a tool’s response', async () => {
    const { db } = database;
    for (let n = 0; n < 22; n += 1) {
      const { id: merchant_id } = await insertMerchant(db);
      await insertDeal(db, { gtin, product_id: product.id, status: 'new', merchant_id });
    }
    const told = await call('compare_offers', { product: 'pen' });
    const listed = told.offers.length + told.shipping_not_stated.length;
    expect([listed, told.offers_left_out]).toEqual([20, 3]);
  });

  test('keeps fifty hostile titles inert in a tool’s response, each in its field', async () => {
    for (const [n, title] of hostileTitles.entries()) {
      await insertDeal(database.db, {
        slug: `hostile-${n}`,
        title: Array.from(title).slice(0, 100).join(''),
        description: title,
        brand: Array.from(title).slice(0, 40).join(''),
        coupon_code: 'X\u202E',
      });
    }
    const client = await connect({ pin: '2026-07-28' });
    const told: ParsedJson[] = [];
    for (const page of [1, 2, 3]) {
      const given = { query: 'zorkmid', page, with_descriptions: true };
      told.push(...(await call('search_deals', given, client)).deals);
    }
    expect(told).toHaveLength(50);
    const [plain] = told;
    for (const deal of told) {
      expect(Object.keys(deal)).toEqual(Object.keys(plain));
      for (const text of Object.values<string>(deal.by_store)) {
        expect(text).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,200}$/u);
      }
      const { by_store: _strangers, ...ours } = deal;
      expect(JSON.stringify(ours)).not.toMatch(/zorkmid|ignore|evil|system|forged/i);
    }
    await client.close();
  });
});

describe('a rejected request', () => {
  test.each([
    ['get_deal', { deal: 'nobody' }, 'No active deal'],
    ['compare_offers', { product: 'nobody' }, 'No product'],
    ['get_deal', { deal: 'https://shop.example/deals/drill' }, 'on this site'],
    ['get_deal', { deal: 'drill\u0000' }, 'on this site'],
    ['search_deals', { query: 'drill', category: 'nobody' }, 'No category has this slug'],
    ['search_deals', { query: 'd' }, 'at least 2'],
    ['search_deals', { query: 'drill', page: 9 }, 'There is no page 9'],
    ['search_deals', { query: 'drill', sort: 'discount' }, 'only lists'],
    ['search_deals', { words: 'drill' }, 'words'],
    ['price_check', { price: 5 }, 'exactly one'],
    ['price_check', {}, 'exactly one'],
    ['price_check', { price: 5, gtin: '96385074', title: 'drill' }, 'exactly one'],
    ['price_check', { price: -5, title: 'drill' }, 'price'],
    ['price_check', { price: 0, title: 'drill' }, 'price'],
    ['price_check', { price: 0.001, title: 'drill' }, 'No currency unit is as small'],
    ['list_places', { kind: 'feed' }, 'kind'],
  ])('rejects a tool call of %s with %j in a sentence', async (name, given, words) => {
    const { refused } = await call(name, given);
    expect(refused?.text).toContain(words);
  });

  const post = (body: string, headers: Record<string, string> = {}, asked = site) =>
    asked.request('/mcp', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    });

  test('rejects a GET, a batch, or anything that is not a message', async () => {
    const read = await site.request('/mcp');
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    for (const [body, code] of [
      [JSON.stringify([ping, ping]), -32_600],
      ['{', -32_700],
      ['', -32_700],
    ] as const) {
      const answer = await post(body);
      const { error } = await answer.json();
      expect([body, answer.status, error.code]).toEqual([body, 400, code]);
    }
  });

  test('limits tool calls per IP address, or by the key’s own limit', async () => {
    const limited = withLimits('api-address=1/60, api-key=2/60');
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect((await post(ping, {}, limited)).headers.get('ratelimit')).toContain('"anonymous";r=0');
    const refused = await post(ping, {}, limited);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
    ]);
    const { id: actor } = await insertUser(database.db, { role: 'admin' });
    const made = await createApiKey(database.db, { actor, name: 'Assistant', perMinute: null });
    const key = made.ok ? made.key : '';
    const client = await connect({ pin: '2026-07-28' }, withLimits('api-address=1/60'), key);
    expect((await client.listTools()).tools).toHaveLength(7);
    await client.close();
    expect((await post(ping, { authorization: 'Bearer nonsense' })).status).toBe(401);
  });

  test('limits search tools like the search box', async () => {
    const client = await connect({ pin: '2026-07-28' }, withLimits('api-address=0, search=1/60'));
    expect(await call('search_deals', { query: 'drill' }, client)).toHaveProperty('deals');
    const { refused } = await call('search_deals', { query: 'drill' }, client);
    expect(refused.text).toMatch(/^Too many searches\. Wait \d+ seconds\.$/);
    await client.close();
  });
});
