import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Connection } from '#database/connect.ts';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { createLog } from '#app/platform/log.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite, type TestSite } from '#test/site.ts';

const database = useTestDatabase();
const site = testSite(database);

/** A site that has lost its database connection, and its log. */
let lost: TestSite;
let closed: Connection;
const lines: string[] = [];
beforeAll(async () => {
  closed = connect(database.url);
  await closed.close();
  const log = createLog('error', { write: (line) => void lines.push(line) });
  lost = testSite(database, { db: closed.db, log });
});
afterAll(() => {
  lines.length = 0;
});

const suggestionsFor = async (query: string) => {
  const response = await site.request(`/api/suggest?${query}`);
  const { suggestions } = (await response.json()) as {
    suggestions: { text: string; type: string }[];
  };
  return { response, suggestions };
};

describe('GET /api/suggest', () => {
  it('suggests titles, categories and stores, the same for everyone and briefly cacheable', async () => {
    const category = await insertCategory(database.db, { name: 'Wireless' });
    const merchant = await insertMerchant(database.db, { name: 'Wire House' });
    await insertDeal(database.db, {
      title: 'Wireless mouse',
      category_id: category.id,
      merchant_id: merchant.id,
    });
    const { response, suggestions } = await suggestionsFor('q=wire');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('cache-control')).toBe('public, max-age=30');
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(new Set(suggestions.map(({ type, text }) => `${type} ${text}`))).toEqual(
      new Set(['category Wireless', 'deal Wireless mouse', 'merchant Wire House']),
    );
  });

  it('does not suggest hidden deals', async () => {
    await insertDeal(database.db, { title: 'Wireless secret', is_active: false });
    expect((await suggestionsFor('q=wireless+secret')).suggestions).toEqual([]);
  });

  it.each(['', 'q=', 'q=a', 'q=%20%20', 'q=%00', 'x=wire', `q=${'a'.repeat(5_000)}`, 'q=%25%25'])(
    'suggests nothing for %j, without an error',
    async (query) => {
      const { response, suggestions } = await suggestionsFor(query);
      expect([response.status, suggestions]).toEqual([200, []]);
    },
  );

  // Proves R22: input through a schema
  it('R22: treats pattern characters as text in suggestions', async () => {
    await insertDeal(database.db, { title: 'Wireless mouse' });
    for (const query of ['q=__', 'q=%25e', "q=' or 1=1 --"]) {
      expect((await suggestionsFor(query)).suggestions).toEqual([]);
    }
  });

  it('suggests nothing, uncached and logged, when the database is unreachable', async () => {
    lines.length = 0;
    const response = await lost.request('/api/suggest?q=wire');
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ suggestions: [] });
    expect(lines.join('')).toContain('suggestions failed');
  });

  it('rejects a POST to suggestions', async () => {
    const response = await site.request('/api/suggest?q=wire', { method: 'POST' });
    expect(response.status).toBeGreaterThanOrEqual(400);
  });
});

describe('GET /api/popular-searches', () => {
  it('returns the categories and stores with the most deals as popular searches', async () => {
    const many = await insertCategory(database.db, { name: 'Audio' });
    const merchant = await insertMerchant(database.db, { name: 'Loud Shop' });
    for (let n = 0; n < 2; n += 1) {
      await insertDeal(database.db, { category_id: many.id, merchant_id: merchant.id });
    }
    await insertCategory(database.db, { name: 'Empty' });
    const response = await site.request('/api/popular-searches');
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    const { searches } = (await response.json()) as { searches: { text: string }[] };
    const texts = searches.map(({ text }) => text);
    expect(texts).toContain('Audio');
    expect(texts).toContain('Loud Shop');
    expect(texts).not.toContain('Empty');
  });

  it('returns no popular searches on an empty site', async () => {
    const response = await site.request('/api/popular-searches');
    expect(await response.json()).toEqual({ searches: [] });
  });

  // Proves Storefront 8: Search, popular-search, favorites failures (popular-searches-route.ts)
  it('returns no popular searches, and logs the error, when the database is unreachable', async () => {
    lines.length = 0;
    const response = await lost.request('/api/popular-searches');
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ searches: [] });
    expect(lines.join('')).toContain('popular searches failed');
  });
});
