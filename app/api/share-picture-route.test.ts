import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';
import { listLoggedPrices, voidPrice } from '#app/features/deals/void-prices.server.ts';
import { isShareDrawn, keepDrawn } from '#app/features/pictures/draw-mail-picture.server.ts';
import { createLoadContext } from '#app/platform/app-context.server.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { drawAnew } from '#app/platform/open-picture.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { plantDeal } from '#test/factories/plant-prices.ts';
import { testOrigin } from '#test/origin.ts';
import { testServices } from '#test/services.ts';
import { testSite, type TestSite } from '#test/site.ts';
import { loader } from './share-picture-route.ts';

const database = useTestDatabase();
let site: TestSite;

beforeEach(() => {
  site = testSite(database);
});

type Deal = Parameters<typeof insertDeal>[1];

async function insertLamp(more: Deal = {}) {
  return insertDeal(database.db, { slug: 'lamp', title: 'Desk lamp', sale_price: 3_900, ...more });
}

function change(id: number, values: object) {
  return database.db.updateTable('deals').set(values).where('id', '=', id).execute();
}

/** Returns the head tags of the deal's page by name or property. */
async function headOf(slug = 'lamp') {
  const { html } = await site.page(`/deals/${slug}`);
  const tags = html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g);
  return new Map([...tags].map(([, name = '', content = '']) => [name, content] as const));
}

async function pathOf(slug = 'lamp') {
  return (await headOf(slug)).get('og:image')?.replace(testOrigin, '') ?? '';
}

async function get(path: string, headers = {}) {
  const response = await site.request(path, { headers });
  return { response, body: Buffer.from(await response.arrayBuffer()) };
}
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** Calls the route in this process, so that a test can count and delay its drawings. */
function load(path: string, init?: RequestInit) {
  return loader({
    context: createLoadContext(testServices(database), {
      id: 'test-request',
      nonce: '',
      isForCache: false,
      address: '192.0.2.1',
      gateNote: null,
    }),
    params: { name: nameOf(path) },
    request: new Request(new URL(path, testOrigin), init),
  } as never);
}

const statusOf = async (path: string) => (await get(path)).response.status;

test('describes the picture in the head of the deal’s page', async () => {
  const merchant = await insertMerchant(database.db, { name: 'Oakhaft' });
  const deal = await insertLamp({ merchant_id: merchant.id });
  const head = await headOf();
  const path = head.get('og:image') ?? '';
  expect(path).toMatch(
    new RegExp(`^${testOrigin}/share-pictures/deal-${deal.id}-[0-9a-f]{12}\\.jpg$`),
  );
  expect(Object.fromEntries(head)).toMatchObject({
    'og:image:type': 'image/jpeg',
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': expect.stringMatching(/^Desk lamp at Oakhaft\. \$39.*\.$/),
    'twitter:card': 'summary_large_image',
    'twitter:image': path,
    'twitter:image:alt': head.get('og:image:alt'),
  });
});

test('serves anyone a JPEG of 1200 × 630 pixels below 150 kB, and 304 to clients that have it', async () => {
  await insertLamp();
  const path = await pathOf();
  const { response, body } = await get(path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/jpeg');
  expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
  expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(await sharp(body).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
  expect(body.length).toBeLessThan(150_000);
  const again = await get(path, { 'if-none-match': response.headers.get('etag') ?? '' });
  expect([again.response.status, again.body.length]).toEqual([304, 0]);
});

test('changes the address with each change of the price, the title and the picture', async () => {
  const { id } = await insertLamp();
  const paths = [await pathOf()];
  for (const values of [
    { sale_price: 2_900 },
    { title: 'Table lamp' },
    { image_url: '/media/shop/lamp-ab12-640.webp' },
    { expires_at: new Date(Date.now() - 60_000) },
  ]) {
    await change(id, values);
    paths.push(await pathOf());
  }
  expect(new Set(paths).size).toBe(paths.length);
});

test('changes the address when a price of the chart is voided, even if nothing else changes', async () => {
  const prices = [6_300, 7_000, 7_100, 6_300];
  const lines = prices.map((price, at) => ({ daysAgo: [60, 32, 31, 30][at] ?? 0, price }));
  // The voided prices are older than the newest 16, which cards show.
  for (let ago = 29; ago > 9; ago--) lines.push({ daysAgo: ago, price: ago % 2 ? 6_400 : 6_300 });
  lines.push({ daysAgo: 9, price: 3_900 });
  const dealId = await plantDeal(database.db, lines, { slug: 'lamp' });
  const voidLine = async (cents: number) => {
    const logged = await listLoggedPrices(database.db, dealId);
    const lineId = logged.find(({ sale_price }) => sale_price === cents)?.id ?? 0;
    const act = { actor: 'admin', reason: 'A typo', dealId, lineId };
    expect(await voidPrice(database.db, act)).toEqual({ ok: true });
  };
  // The first void also corrects the time of the current price, which the test planted.
  await voidLine(7_100);
  const before = await headOf();
  await voidLine(7_000);
  const after = await headOf();
  expect(after.get('og:image:alt')).toBe(before.get('og:image:alt'));
  expect(after.get('og:image')).not.toBe(before.get('og:image'));
});

test('keeps the address while the deal is unchanged', async () => {
  const { id } = await insertLamp();
  const before = await pathOf();
  await change(id, { description: 'Another description' });
  expect(await pathOf()).toBe(before);
});

test('shows the current picture at an older address, and lets caches keep it only briefly', async () => {
  const { id } = await insertLamp();
  const old = await pathOf();
  await change(id, { sale_price: 2_900 });
  const current = await get(await pathOf());
  const { response, body } = await get(old);
  expect(body).toEqual(current.body);
  expect(response.headers.get('cache-control')).toBe('public, max-age=60');
});

test('returns 404 for a deal that is not public, and for every other name', async () => {
  const { id } = await insertLamp();
  const path = await pathOf();
  await change(id, { is_active: false });
  const names = [
    path,
    '/share-pictures/deal-999999-0123456789ab.jpg',
    '/share-pictures/deal-99999999999-0123456789ab.jpg',
    `/share-pictures/deal-${id}.jpg`,
    `/share-pictures/deal-${id}-0123456789AB.jpg`,
    `/share-pictures/deal-${id}-0123456789ab.png`,
    '/share-pictures/..%2fdeal-1-0123456789ab.jpg',
    '/share-pictures/x',
  ];
  expect(await Promise.all(names.map(statusOf))).toEqual(names.map(() => 404));
  await change(id, { is_active: true });
  expect(await statusOf(path)).toBe(200);
});

test('draws once for simultaneous first requests', async () => {
  await insertLamp();
  const path = await pathOf();
  const gate = Promise.withResolvers<Buffer>();
  let count = 0;
  const draw = () => {
    count += 1;
    return gate.promise;
  };
  const name = nameOf(path);
  const first = [1, 2].map(() => keepDrawn(database.db, name, draw, 'share'));
  const answers = Array.from({ length: 5 }, () => load(path));
  gate.resolve(Buffer.from('drawn'));
  await Promise.all(first);
  expect(count).toBe(1);
  for (const answer of await Promise.all(answers)) expect(await answer.text()).toBe('drawn');
});

test('draws nothing for HEAD', async () => {
  await insertLamp();
  const path = await pathOf();
  const { status, headers } = await load(path, { method: 'HEAD' });
  expect([status, headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  expect(isShareDrawn(database.db, nameOf(path))).toBe(false);
});

test('redirects to the site’s own picture if the site drew too many', async () => {
  const services = testServices(database, { RATE_LIMITS: 'share-picture=1/60' });
  site = testSite(database, services);
  await insertLamp();
  await insertLamp({ slug: 'other' });
  const [first, second] = [await pathOf(), await pathOf('other')];
  expect(await statusOf(first)).toBe(200);
  const refused = await get(second);
  expect([refused.response.status, refused.response.headers.get('location')]).toEqual([
    302,
    '/art/share.png',
  ]);
  // A picture that is already drawn does not count.
  expect(await statusOf(first)).toBe(200);
});

/**
 * Starts a drawing that delays all others until `resolve` is called, since pictures are drawn one
 * by one.
 */
function holdUp() {
  const gate = Promise.withResolvers<void>();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
  const held = drawAnew(svg, { formats: ['svg'], mostPixels: 1 }, () => gate.promise);
  return { held, resolve: gate.resolve };
}

async function insertLamps(count: number) {
  const slugs = Array.from({ length: count }, (_, at) => `lamp-${at}`);
  for (const slug of slugs) await insertLamp({ slug });
  return Promise.all(slugs.map(pathOf));
}

test('redirects to the site’s own picture while four others are being drawn', async () => {
  const [cached = '', other = '', ...four] = await insertLamps(6);
  expect((await load(cached)).status).toBe(200);
  const { held, resolve } = holdUp();
  const waiting = four.map((path) => load(path));
  const begun = () => four.every((path) => isShareDrawn(database.db, nameOf(path)));
  await expect.poll(begun, { timeout: 30_000 }).toBe(true);
  const refused = await load(other);
  expect([refused.status, refused.headers.get('location')]).toEqual([302, '/art/share.png']);
  expect(refused.headers.get('cache-control')).toBe('no-store');
  expect((await load(cached)).status).toBe(200);
  resolve();
  await Promise.all([held, ...waiting]);
  expect((await load(other)).status).toBe(200);
});

test('draws at most four of many pictures that are requested at once', async () => {
  const paths = await insertLamps(12);
  const { held, resolve } = holdUp();
  const statuses: number[] = [];
  const answers = paths.map(async (path) => {
    const { status } = await load(path);
    // The first four wait until all others have been refused.
    if (statuses.push(status) === 8) resolve();
  });
  await Promise.all([held, ...answers]);
  expect(statuses).toEqual([...Array(8).fill(302), ...Array(4).fill(200)]);
});

test('draws and caches a picture while any number of pictures for emails are drawn', async () => {
  await insertLamp();
  const path = await pathOf();
  const gate = Promise.withResolvers<Buffer>();
  const drawMails = (from: number) =>
    Array.from({ length: 301 }, (_, at) =>
      keepDrawn(database.db, `mail-${from + at}`, () => gate.promise),
    );
  const waiting = drawMails(0);
  expect((await load(path)).status).toBe(200);
  waiting.push(...drawMails(301));
  expect(isShareDrawn(database.db, nameOf(path))).toBe(true);
  gate.resolve(Buffer.alloc(1));
  await Promise.all(waiting);
});

test('claims nothing about a price that the store does not let us track, and shows no price that the store may hide later', async () => {
  const forbids = await insertMerchant(database.db, { name: 'Quiet', keep_history: false });
  await insertLamp({ merchant_id: forbids.id });
  expect((await headOf()).get('og:image:alt')).toBe('Desk lamp at Quiet. $39.');
  const hides = await insertMerchant(database.db, { name: 'Hidden', hide_price_after_hours: 1 });
  await insertLamp({ slug: 'new', merchant_id: hides.id });
  expect((await site.page('/deals/new')).html).toContain('$39');
  const fresh = await headOf('new');
  expect(fresh.get('og:image:alt')).toBe('Desk lamp at Hidden');
  await database.db.updateTable('merchants').set({ hide_price_after_hours: 2 }).execute();
  expect((await headOf('new')).get('og:image')).toBe(fresh.get('og:image'));
});

test('draws a stored picture, but not one on another host or a damaged one', async () => {
  const red = sharp({ create: { width: 640, height: 480, channels: 3, background: '#c81e1e' } });
  const media = openMedia(testServices(database));
  await media.write('shop/lamp-ab12-640.webp', await red.webp().toBuffer());
  await media.write('shop/lamp-ab34-640.webp', Buffer.from('RIFF....WEBP'));
  const { id } = await insertLamp({ image_url: '/media/shop/lamp-ab12-640.webp' });
  const pixel = async () => {
    const { body } = await get(await pathOf());
    const raw = sharp(body).extract({ left: 940, top: 250, width: 4, height: 4 }).removeAlpha();
    const [r = 0, g = 0] = await raw.raw().toBuffer();
    return r > 150 && g < 80;
  };
  expect(await pixel()).toBe(true);
  await change(id, { image_url: '/media/shop/lamp-ab34-640.webp' });
  expect(await pixel()).toBe(false);
  await change(id, { image_url: 'https://shop.example/lamp.jpg' });
  expect(await pixel()).toBe(false);
});

test.each([
  ['<script>alert(1)</script>&amp;]]><!--', 'hostile'],
  ['W'.repeat(300), 'long'],
  ['مصباح مكتب', 'foreign'],
])('draws the title %s', async (title, slug) => {
  await insertLamp({ slug, title: title.slice(0, 200) });
  const { body } = await get(await pathOf(slug));
  expect((await sharp(body).metadata()).width).toBe(1200);
});

test('offers the share picture, its sentence and the link without JavaScript', async () => {
  await insertLamp();
  const path = await pathOf();
  const { html } = await site.page('/deals/lamp');
  const [fold = ''] = /<summary>Picture and text to share.*?<\/details>/s.exec(html) ?? [];
  expect(fold).toContain(`<a href="${path}" download=""`);
  expect(fold.replaceAll('<!-- -->', '')).toMatch(/Desk lamp at [^<]+ http\S+\/deals\/lamp</);
});
