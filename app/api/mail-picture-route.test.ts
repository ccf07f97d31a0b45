import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import { storeBrandPicture } from '#app/features/site-settings/brand/brand-pictures.server.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { mails } from '#app/mails.server.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { loadBuiltSite } from '#server/site-sources.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { startHttpSite } from '#test/http-site.ts';
import { testServices } from '#test/services.ts';
import { testSite, type TestSite } from '#test/site.ts';

const database = useTestDatabase();
let site: TestSite;
let services: ReturnType<typeof testServices>;

beforeEach(() => {
  services = testServices(database);
  site = testSite(database);
});

const picture = '/media/shop/lamp-ab12-640.webp';

async function storePicture() {
  const file = sharp({ create: { width: 640, height: 480, channels: 3, background: '#c33' } });
  for (const width of [640, 320]) {
    const content = await file.clone().resize(width).webp().toBuffer();
    const name = picture.slice('/media/'.length).replace('640', String(width));
    await openMedia(services).write(name, content);
  }
}

/** Lets an alert fire on a deal whose price fell, and returns its email. */
async function fireAlert(merchant: Parameters<typeof insertMerchant>[1] = {}) {
  const { db } = database;
  await storePicture();
  const { id: merchant_id } = await insertMerchant(db, merchant);
  const user = await insertUser(db);
  const deal = await insertDeal(db, { sale_price: 10_000, merchant_id, image_url: picture });
  const about = { user_id: user.id, deal_id: deal.id, target_price: 9_000, target_percent: null };
  await db.insertInto('price_alerts').values(about).execute();
  await setPrice(deal.id, 8_000);
  const mail = await db.selectFrom('mail_outbox').selectAll().executeTakeFirstOrThrow();
  const written = await mails[mail.kind]?.write(
    db,
    mail,
    await readMailSite(db, services.env),
    'send',
  );
  if (!written) throw new Error('no mail');
  return { deal, user, html: written.html, text: written.text, paths: pathsIn(written.html) };
}

function setPrice(id: number, sale_price: number) {
  return database.db.updateTable('deals').set({ sale_price }).where('id', '=', id).execute();
}

/** Returns the paths of the pictures in an email. */
function pathsIn(html: string) {
  const all = [...html.matchAll(/src="([^"]+)"/g)].map(([, src = '']) => src);
  expect(all.filter((src) => !src.startsWith(`${services.env.origin}/`))).toEqual([]);
  const paths = all.map((src) => new URL(src).pathname);
  const line = paths.find((path) => path.includes('/price-line-'));
  const product = paths.find((path) => path.includes('/deal-'));
  return { line, product };
}

async function get(path: string | undefined, headers = {}) {
  const response = await site.request(path ?? '', { headers });
  return { response, body: Buffer.from(await response.arrayBuffer()) };
}
const statusOf = async (path: string | undefined) => (await get(path)).response.status;

test('serves both pictures of an alert email to a signed-out client, as PNG and JPEG', async () => {
  const { paths, deal, user } = await fireAlert();
  expect(paths.line).toMatch(new RegExp(`^/mail-pictures/price-line-${deal.id}-\\d+-9000\\.png$`));
  expect(paths.product).toBe(`/mail-pictures/deal-${deal.id}.jpg`);
  expect(JSON.stringify(paths)).not.toContain(user.id);
  const line = await get(paths.line);
  expect(line.response.headers.get('content-type')).toBe('image/png');
  expect(await sharp(line.body).metadata()).toMatchObject({ format: 'png', width: 1040 });
  const product = await get(paths.product);
  expect(product.response.headers.get('content-type')).toBe('image/jpeg');
  expect(await sharp(product.body).metadata()).toMatchObject({ width: 232, height: 174 });
});

test('lets caches store the picture, and returns 304 to a client that has it', async () => {
  const { paths } = await fireAlert();
  for (const path of [paths.line, paths.product]) {
    const { response } = await get(path);
    expect(response.headers.get('cache-control')).toBe('public, max-age=86400');
    const etag = response.headers.get('etag') ?? '';
    const again = await get(path, { 'if-none-match': etag });
    expect([again.response.status, again.body.length]).toEqual([304, 0]);
  }
});

test('shows the picture on pages of webmail, and sets no cookie', async () => {
  const { paths } = await fireAlert();
  const { app, files, close } = await loadBuiltSite(services);
  const http = await startHttpSite(app, { db: database.db, files });
  const answer = await http.send(paths.line ?? '');
  await http.close();
  await close?.();
  expect(answer.status).toBe(200);
  expect(answer.headers['cross-origin-resource-policy']).toBe('cross-origin');
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect((await sharp(answer.body).metadata()).height).toBe(240);
});

test('changes the URL of the price chart after each price, and keeps the old chart at the old URL', async () => {
  const { deal, paths } = await fireAlert();
  const before = (await get(paths.line)).body;
  await setPrice(deal.id, 7_000);
  const { db } = database;
  const { id: alertId } = await db
    .selectFrom('price_alerts')
    .select('id')
    .executeTakeFirstOrThrow();
  const sample = { key: 'sample', kind: 'price-alert-test', payload: { alertId } };
  const kind = mails[sample.kind];
  const mailSite = await readMailSite(db, services.env);
  const written = await kind?.write(db, sample as never, mailSite, 'send');
  const after = pathsIn(written?.html ?? '').line;
  expect(after).not.toBe(paths.line);
  expect((await get(paths.line)).body).toEqual(before);
  expect((await get(after)).body).not.toEqual(before);
});

describe('a deal whose prices are not public', () => {
  test('returns 404 for an unpublished deal', async () => {
    const { paths } = await fireAlert();
    await database.db.updateTable('deals').set({ is_active: false }).execute();
    expect([await statusOf(paths.line), await statusOf(paths.product)]).toEqual([404, 404]);
  });

  test('shows and serves no price chart if the store forbids price history', async () => {
    const { paths } = await fireAlert();
    expect(await statusOf(paths.line)).toBe(200);
    await database.db.updateTable('merchants').set({ keep_history: false }).execute();
    expect(await statusOf(paths.line)).toBe(404);
    await database.db.deleteFrom('mail_outbox').execute();
    const { html, paths: without } = await fireAlert({ keep_history: false });
    expect(without.line).toBeUndefined();
    expect(html).not.toContain('dashed line');
  });

  test('returns 404 once the store requires hiding the price', async () => {
    const { paths } = await fireAlert();
    await database.db.updateTable('merchants').set({ hide_price_after_hours: 1 }).execute();
    expect(await statusOf(paths.line)).toBe(200);
    const old = new Date(Date.now() - 7_200_000);
    await database.db.updateTable('deals').set({ price_checked_at: old }).execute();
    await database.db.deleteFrom('deal_price_checks').execute();
    expect(await statusOf(paths.line)).toBe(404);
  });
});

test('shows no price chart if the price never changed, and no picture if there is none', async () => {
  const { db } = database;
  const user = await insertUser(db);
  const deal = await insertDeal(db, { sale_price: 8_000, image_url: null });
  const about = { user_id: user.id, deal_id: deal.id, target_price: 9_000, target_percent: null };
  await db.insertInto('price_alerts').values(about).execute();
  const mail = await db.selectFrom('mail_outbox').selectAll().executeTakeFirstOrThrow();
  const written = await mails[mail.kind]?.write(
    db,
    mail,
    await readMailSite(db, services.env),
    'send',
  );
  expect(pathsIn(written?.html ?? '')).toEqual({ line: undefined, product: undefined });
  expect(written?.text).toContain('Your target was $90.00.');
});

test('returns 404 for every other name', async () => {
  const { deal, paths } = await fireAlert();
  const other = await insertDeal(database.db, {});
  const version = Number(paths.line?.split('-').at(-2));
  const names = [
    `price-line-${other.id}-${version}.png`,
    `price-line-${deal.id}-${version + 100}.png`,
    `price-line-${deal.id}.png`,
    `price-line-${deal.id}-${version}-9000-1.png`,
    `price-line-${deal.id}-${version}-0.png`,
    `price-line-${deal.id}-${version}-99999999999.png`,
    `price-line-${deal.id}-${version}.jpg`,
    `deal-${other.id}.jpg`,
    `deal-${deal.id}.png`,
    'deal-9999.jpg',
    'logo-0123456789ab.png',
    'logo-..%2f..%2fshop.png',
    'x',
  ];
  const statuses = await Promise.all(names.map((name) => statusOf(`/mail-pictures/${name}`)));
  expect(statuses).toEqual(names.map(() => 404));
});

test('serves the owner’s logo as a PNG on white, which emails show instead of the built-in one', async () => {
  const logo = sharp({
    create: { width: 300, height: 60, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  });
  const file = new Blob([await logo.png().toBuffer()]);
  const saved = await storeBrandPicture(services, 'logoUrl', file);
  if (!saved.ok) throw new Error(saved.message);
  await writeSiteSetting(database.db, 'logoUrl', saved.url, 'test');
  const { html, text } = await fireAlert();
  expect(html).not.toContain('mail-mark.png');
  const [, path] =
    /src="https?:\/\/[^/]+(\/mail-pictures\/logo-[^"]+)" alt="Deal Hub"/.exec(html) ?? [];
  const { body, response } = await get(path);
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000');
  const { width, height, hasAlpha } = await sharp(body).metadata();
  expect([width, height, hasAlpha]).toEqual([368, 88, false]);
  const { dominant } = await sharp(body).stats();
  expect(dominant.r).toBeGreaterThan(240);
  expect(text).toContain('Deal Hub');
});
