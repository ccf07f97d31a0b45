import { beforeEach, describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { insertCoupon } from '#test/factories/a-coupon.ts';
import { insertMerchant } from '#test/factories/insert.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';

const database = useTestDatabase();
const site = testSite(database);
const admin = () => signedInVisitor(database, site, 'admin');
let merchant_id = 0;
beforeEach(async () => {
  merchant_id = (await insertMerchant(database.db, { name: 'Lamp House' })).id;
});
const codes = async () =>
  (await database.db.selectFrom('coupons').select('code').orderBy('code').execute()).map(
    ({ code }) => code,
  );

const typed = { merchant: 'Lamp House', code: 'LAMP20', title: '20% off lamps' };

test('adds a coupon without JavaScript, and reads its times in the site’s time zone', async () => {
  const visitor = await admin();
  const times = { starts_at: '2026-11-01T00:00', ends_at: '2026-12-31T23:59' };
  const sent = await visitor.send('/admin/coupons/new', { ...typed, ...times });
  expect([sent.status, sent.headers.get('location')]).toEqual([302, '/admin/coupons']);
  const { html } = await visitor.open('/admin/coupons');
  expect(html).toContain('Coupon created.');
  expect(html).toContain('LAMP20');
  const [stored] = await database.db.selectFrom('coupons').selectAll().execute();
  expect(stored).toMatchObject({
    merchant_id,
    list: '',
    ends_at: new Date('2026-12-31T23:59:00Z'),
  });
});

test('names errors at their fields and keeps the input when a coupon is invalid', async () => {
  const visitor = await admin();
  await insertCoupon(database.db, { merchant_id, code: 'lamp20' });
  const taken = await visitor.send('/admin/coupons/new', typed);
  expect([
    taken.status,
    taken.html.includes('This store already has a coupon with this code.'),
  ]).toEqual([422, true]);
  const { html } = await visitor.send('/admin/coupons/new', {
    ...typed,
    merchant: 'Nowhere',
    url: 'not an address',
    starts_at: '2026-12-31T00:00',
    ends_at: '2026-11-01T00:00',
  });
  for (const words of ['No merchant is called', 'Must be a valid URL', 'value="20% off lamps"']) {
    expect(html).toContain(words);
  }
});

test('changes, deletes and restores a coupon through the staff forms', async () => {
  const visitor = await admin();
  const { id } = await insertCoupon(database.db, { merchant_id });
  const change = { ...typed, version: '1' };
  expect((await visitor.send(`/admin/coupons/${id}/edit`, change)).status).toBe(302);
  expect(await codes()).toEqual(['LAMP20']);
  expect((await visitor.send(`/admin/coupons/${id}/edit`, change)).status).toBe(409);
  for (const _ of [1, 2]) {
    await visitor.send('/admin/coupons', { intent: 'delete', id: String(id) });
    expect(await codes()).toEqual([]);
    await visitor.send('/admin/coupons', { intent: 'restore', id: String(id) });
    expect(await codes()).toEqual(['LAMP20']);
  }
});

test('filters coupons by text and state', async () => {
  const visitor = await admin();
  await insertCoupon(database.db, { merchant_id, code: 'ENDED', ends_at: new Date(0) });
  await insertCoupon(database.db, { merchant_id, code: 'LISTED', list: 'a.csv' });
  const shown = async (query: string) => {
    const { html } = await visitor.open(`/admin/coupons${query}`);
    return ['ENDED', 'LISTED'].filter(
      (code) => html.includes(`${code} at`) || html.includes(`>${code}<`),
    );
  };
  expect(await shown('')).toEqual(['ENDED', 'LISTED']);
  expect(await shown('?show=ended')).toEqual(['ENDED']);
  expect(await shown('?show=live')).toEqual(['LISTED']);
  expect(await shown('?show=imported')).toEqual(['LISTED']);
  expect(await shown('?q=listed')).toEqual(['LISTED']);
  expect(await shown(`?merchant=${merchant_id + 1}`)).toEqual([]);
});

describe('an upload', () => {
  const content = Buffer.from(
    'store,code,title,end_date\nLamp House,LAMP20,20% off,2030-12-31\nLamp House,BAD,,\nNowhere,X,Y,\n',
  ).toString('base64');

  test('previews an uploaded coupon list with errors by row, then imports it', async () => {
    const visitor = await admin();
    const upload = { content, list: 'lamps.csv', store: '' };
    const preview = await visitor.send('/admin/coupons/upload', upload);
    for (const words of ['1 new coupon', '2 rejected rows', 'the title is missing', 'LAMP20']) {
      expect(preview.html).toContain(words);
    }
    expect(preview.html).toContain('Showing 1 coupon');
    expect(await codes()).toEqual([]);
    const sent = await visitor.send('/admin/coupons/upload', { ...upload, intent: 'import' });
    expect(sent.headers.get('location')).toBe('/admin/coupons');
    expect(await codes()).toEqual(['LAMP20']);
  });

  test.each([
    ['no file', '', 'Choose a file.'],
    [
      'a list without codes',
      Buffer.from('a,b\n1,2\n').toString('base64'),
      'no column of coupon codes',
    ],
  ])('reports the problem of an uploaded coupon list: %s', async (_name, given, words) => {
    const { status, html } = await (
      await admin()
    ).send('/admin/coupons/upload', { content: given, list: 'x', store: '' });
    expect([status, html.includes(words)]).toEqual([422, true]);
  });
});

describe('a person without the right', () => {
  test('neither shows nor changes coupons without the right to edit the catalog', async () => {
    const { id } = await insertCoupon(database.db, { merchant_id });
    const visitor = await signedInVisitor(database, site, 'user');
    for (const path of [
      '/admin/coupons',
      '/admin/coupons/new',
      `/admin/coupons/${id}/edit`,
      '/admin/coupons/upload',
    ]) {
      expect([path, (await visitor.open(path)).status]).toEqual([path, 403]);
    }
    const sent = await visitor.send('/admin/coupons', { intent: 'delete', id: String(id) });
    expect([sent.status, await codes()]).toEqual([403, ['SAVE10']]);
  });
});
