import { createRequestHandler } from 'react-router';
import { expect, it } from 'vitest';
import { PageCache } from '#server/page-cache.ts';
import { securityHeaders, visitorsPolicy } from '#server/security-headers.ts';
import { makeSharedPage } from '#server/shared-page.ts';
import { createSiteApp } from '#server/site-app.ts';
import type { StoredAnswer } from '#server/stored-answer.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { testServices } from '#test/services.ts';
import { loadBuild } from '#test/site.ts';

const database = useTestDatabase();

/** All titles differ, as most do in real lists. */
const words = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ((from * 7919 + n * 104_729) ** 2).toString(36)).join(
    ' ',
  );

it('fits 1,500 lists, each with 24 long titles from 24 stores, into a 64 MB cache', async () => {
  const { db } = database;
  const { id: category_id } = await insertCategory(db);
  for (let n = 1; n <= 24; n++) {
    const { id: merchant_id } = await insertMerchant(db, { name: words(n, 2), slug: `store-${n}` });
    await insertDeal(db, {
      category_id,
      merchant_id,
      title: words(n, 12),
      description: words(n, 60),
      slug: words(n, 10).replaceAll(' ', '-'),
      image_url: `https://pictures.example/${words(n, 6).replaceAll(' ', '-')}.webp`,
      deal_url: `https://store-${n}.example/${words(n, 6).replaceAll(' ', '-')}`,
      sale_price: 1000 + n * 37,
      coupon_code: words(n, 1).slice(0, 12),
      expires_at: new Date(Date.now() + n * 36_000_000),
    });
  }
  const services = testServices(database);
  const site = createSiteApp(await loadBuild(), createRequestHandler, services);
  const base = securityHeaders(services.env.origin);
  const heads = {
    base,
    reporting: { ending: '', headers: {} },
    visitorsPolicy: visitorsPolicy([]),
    hasSharedCaches: false,
  };
  const cache = new PageCache<StoredAnswer>({ maxBytes: 64 * 2 ** 20 });
  const facts = { id: '', nonce: '', isForCache: true, address: '', gateNote: null };
  const answer = await site(new Request(`${services.env.origin}/deals`), facts);
  const rendered = await makeSharedPage(answer, heads);
  expect(rendered?.policy?.tags).toHaveLength(25);
  for (let n = 0; n < 1_500; n++) await cache.read(`/deals?page=${n}`, async () => rendered);
  expect([cache.size.entries, cache.stats.evicted]).toEqual([1_500, 0]);
  // More than half of each page is unique to that page.
  expect(rendered?.page.bytes).toBeGreaterThan(2 * 24 * words(1, 20).length);
});
