import { expect, test } from 'vitest';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';

const database = useTestDatabase();
const person = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

function follow(path: string, headers: Record<string, string> = person, method = 'GET') {
  return testSite(database).request(path, { method, headers });
}

function countedDeals() {
  return database.db.selectFrom('clicks').select(['deal_id', 'count']).orderBy('deal_id').execute();
}

// Proves P35: /out
test('R28: redirects a visitor to the stored URL, with an uncacheable response', async () => {
  const deal = await insertDeal(database.db, { deal_url: 'https://shop.example/p/1?color=red' });
  const response = await follow(`/out/${deal.id}`);
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toBe('https://shop.example/p/1?color=red');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-robots-tag')).toContain('noindex');
  expect(response.headers.get('set-cookie')).toBeNull();
});

test('applies the merchant’s affiliate template and sub-id', async () => {
  const merchant = await insertMerchant(database.db, {
    affiliate_template: 'https://go.example/?u={url}&sub={sub_id}&d={deal_id}',
    affiliate_sub_id: 'hub 1',
  });
  const deal = await insertDeal(database.db, {
    deal_url: 'https://shop.example/p?a=1&b=2',
    merchant_id: merchant.id,
  });
  const response = await follow(`/out/${deal.id}`);
  expect(response.headers.get('location')).toBe(
    `https://go.example/?u=https%3A%2F%2Fshop.example%2Fp%3Fa%3D1%26b%3D2&sub=hub%201&d=${deal.id}`,
  );
});

// Proves R28: the way out
test('R28: ignores everything in the request when redirecting to a store', async () => {
  const deal = await insertDeal(database.db, { deal_url: 'https://shop.example/p' });
  const response = await follow(`/out/${deal.id}?url=https://evil.example&u=//evil.example`, {
    ...person,
    'x-forwarded-host': 'evil.example',
    referer: 'https://evil.example/',
  });
  expect(response.headers.get('location')).toBe('https://shop.example/p');
});

test('redirects an expired deal to its own page', async () => {
  const deal = await insertDeal(database.db, {
    slug: 'over',
    expires_at: new Date(Date.now() - 1000),
  });
  const response = await follow(`/out/${deal.id}`);
  expect([response.status, response.headers.get('location')]).toEqual([302, '/deals/over']);
});

test('R28: never redirects to a URL that is not http(s)', async () => {
  const deal = await insertDeal(database.db, { slug: 'odd', deal_url: 'javascript:alert(1)' });
  const response = await follow(`/out/${deal.id}`);
  expect([response.status, response.headers.get('location')]).toEqual([302, '/deals/odd']);
});

test('returns 404 for an unknown or inactive deal, or an invalid id', async () => {
  const inactive = await insertDeal(database.db, { is_active: false });
  const active = await insertDeal(database.db);
  const ids = [
    inactive.id,
    999_999,
    0,
    -1,
    `0${active.id}`,
    `${active.id}.5`,
    `${active.id}x`,
    '1e3',
    '%00',
  ];
  for (const id of [...ids, '99999999999999999999']) {
    const response = await follow(`/out/${id}`);
    expect([id, response.status]).toEqual([id, 404]);
    expect(response.headers.get('location')).toBeNull();
  }
});

test('counts visits of people, but not of bots, HEAD, prefetches and expired deals', async () => {
  // The ids are used here only, since clicks of earlier tests may be written late.
  const quiet = await insertDeal(database.db, { id: 901 });
  const over = await insertDeal(database.db, { id: 902, expires_at: new Date(Date.now() - 1000) });
  const visited = await insertDeal(database.db, { id: 903 });
  const bot = {
    'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  };
  await follow(`/out/${quiet.id}`, bot);
  await follow(`/out/${quiet.id}`, {});
  await follow(`/out/${quiet.id}`, person, 'HEAD');
  await follow(`/out/${quiet.id}`, { ...person, 'sec-purpose': 'prefetch;prerender' });
  await follow(`/out/${over.id}`);
  await follow(`/out/${quiet.id}`, { ...person, 'x-moz': 'prefetch' });
  await follow(`/out/${visited.id}`);
  await follow(`/out/${visited.id}`); // The second visit is already counted.
  await testSite(database).request(`/out/${visited.id}`, {
    headers: person,
    address: '198.51.100.7',
  });
  // Clicks are written in order: once these two are stored, an earlier one would be too.
  await expect.poll(countedDeals).toContainEqual({ deal_id: visited.id, count: 2 });
  expect(await countedDeals()).toEqual([{ deal_id: visited.id, count: 2 }]);
});
