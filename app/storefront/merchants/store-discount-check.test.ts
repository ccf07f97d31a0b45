import { beforeEach, describe, expect, test } from 'vitest';
import { checkDiscounts } from '#app/features/prices/check-discounts.server.ts';
import { insertCategory, insertMerchant } from '#test/factories/insert.ts';
import { plantDeal } from '#test/factories/plant-prices.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';

// Tests a store's reductions as shown to visitors, and the actions of staff.

const database = useTestDatabase();
const site = testSite(database);
let merchant = 0;

beforeEach(async () => {
  const { db } = database;
  merchant = (await insertMerchant(db, { name: 'Lamp House', slug: 'lamp-house' })).id;
  const category_id = (await insertCategory(db)).id;
  const owners = { merchant_id: merchant, category_id };
  const lines = [
    { daysAgo: 100, price: 10_000 },
    { daysAgo: 20, price: 13_000 },
    { daysAgo: 8, price: 10_000, struck: 13_000 },
  ];
  await plantDeal(db, lines, { ...owners, slug: 'raised-lamp', title: 'Raised lamp' });
  const { id } = await insertMerchant(db, { name: 'Quiet Corner', slug: 'quiet-corner' });
  const quiet = { category_id, merchant_id: id, title: 'Plain chair' };
  await plantDeal(db, [{ daysAgo: 100, price: 5_000 }], quiet);
  await insertMerchant(db, { slug: 'silent', keep_history: false });
  await checkDiscounts(database);
});

const textOf = (html: string) =>
  html
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
const open = async (path: string) => textOf((await site.page(path)).html);

describe('a store’s page', () => {
  test('shows announced reductions and the log’s result on a store’s page, and links each number to its list', async () => {
    const { html } = await site.page('/merchants/lamp-house');
    const text = textOf(html);
    expect(text).toContain('0 of 1 checked reduction matched our log');
    expect(text).toContain('1 was raised by 5% or more in the 30 days before');
    expect(text).toContain('We read no feed of this store');
    expect(text).not.toContain('Lamp House replies');
    for (const [, show = ''] of html.matchAll(/lamp-house\/discount-check\?show=([\w-]+)/g)) {
      const list = await open(`/merchants/lamp-house/discount-check?show=${show}`);
      expect([show, list.includes('Raised lamp')]).toEqual([show, show !== 'matched']);
    }
    expect(html).toContain('href="/how-we-rank#discount-check"');
    expect((await site.page('/how-we-rank')).html).toContain('id="discount-check"');
  });

  test('shows the verdict above the statistics and the list that it summarizes', async () => {
    const verdict = '0 of 1 checked reduction matched our log.';
    const shop = (await open('/merchants/lamp-house')).split('Discount check').at(-1) ?? '';
    expect(shop.indexOf(verdict)).toBeGreaterThan(-1);
    expect(shop.indexOf(verdict)).toBeLessThan(shop.indexOf('Each figure links to its list'));
    const list = await open('/merchants/lamp-house/discount-check');
    expect(list.indexOf(verdict)).toBeGreaterThan(-1);
    expect(list.indexOf(verdict)).toBeLessThan(list.indexOf('Announced in 90 days ('));
  });

  test('states that a store announced no reductions, and shows nothing if the store forbids a price log', async () => {
    expect(await open('/merchants/quiet-corner')).toContain(
      'Our log shows no reduction that Quiet Corner announced in the last 90 days.',
    );
    expect(await open('/merchants/silent')).not.toContain('Discount check');
  });

  test('lists the evidence for each of a store’s numbers at its own URL', async () => {
    const { html, status } = await site.page('/merchants/lamp-house/discount-check');
    expect(status).toBe(200);
    const text = textOf(html);
    expect(text).toContain('Announced 23%: $100 instead of $130');
    expect(text).toContain(
      'Our log shows no saving: $100 was the lowest price of the 30 days before.',
    );
    expect(text).toContain('Raised by 5% or more 12 days before.');
    const [, anchor = ''] = /href="#(deal-[\w-]+)"/.exec(html) ?? [];
    expect(html).toContain(`id="${anchor}"`);
  });

  test('shows on a deal that its price was raised before', async () => {
    expect(await open('/deals/raised-lamp')).toContain(
      'Raised by 5% or more 12 days before this reduction.',
    );
  });
});

describe('staff', () => {
  test('lets staff enter the store’s reply, shown beside the statistics with its date', async () => {
    const visitor = await signedInVisitor(database, site, 'admin');
    const form = {
      name: 'Lamp House',
      slug: 'lamp-house',
      keep_history: 'on',
      check_reply: 'Our supplier’s list <b>changed</b>.\nWe mended it.',
      version: '1',
    };
    const path = `/admin/merchants/${merchant}/edit`;
    expect((await visitor.send(path, form)).status).toBe(302);
    const text = await open('/merchants/lamp-house');
    expect(text).toMatch(/Lamp House replies, \w{3} \d+, \d{4}/);
    expect(text).toContain('Our supplier’s list &lt;b&gt;changed&lt;/b&gt;.');
    const said = await database.db
      .selectFrom('merchants')
      .select('check_replied_at')
      .where('id', '=', merchant)
      .executeTakeFirstOrThrow();
    await visitor.send(path, { ...form, name: 'Lamps', version: '2' });
    const [entry, later] = await database.db
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .where('entity', '=', 'merchant')
      .orderBy('id')
      .execute();
    expect(entry).toMatchObject({
      action: 'merchant.update',
      after: { check_reply: form.check_reply },
    });
    expect(later?.after).toEqual({ name: 'Lamps' });
    // The date of an unchanged reply stays the same.
    expect(
      await database.db
        .selectFrom('merchants')
        .select('check_replied_at')
        .where('id', '=', merchant)
        .executeTakeFirstOrThrow(),
    ).toEqual(said);
    expect(
      (await visitor.send(path, { ...form, check_reply: 'x'.repeat(2_001), version: '3' })).status,
    ).toBe(422);
  });

  test('lets staff exclude a reduction for a reason and include it again, and counts exclusions on the page', async () => {
    const visitor = await signedInVisitor(database, site, 'admin');
    const path = `/admin/merchants/${merchant}/discount-check`;
    const { html } = await visitor.open(path);
    expect(textOf(html)).toContain('Leave out: wrong currency in the feed');
    const [, id = ''] = /name="id" value="([\d.]+)"/.exec(html) ?? [];
    const act = (intent: string, of = id) => visitor.send(path, { intent, id: of });
    expect((await act('leave-out-currency')).status).toBe(302);
    const page = await open('/merchants/lamp-house');
    expect(page).toContain('1 left out as a feed error');
    expect(page).toContain('0 reductions announced in 90 days');
    expect(await open('/merchants/lamp-house/discount-check?show=left-out')).toContain(
      'Wrong currency in the feed',
    );
    expect(await open('/deals/raised-lamp')).not.toContain('before this reduction');
    // Excluding a reduction a second time shows a message and changes nothing.
    await act('leave-out-pack');
    expect(textOf((await visitor.open(path)).html)).toContain('Someone else did that');
    expect((await act('count')).status).toBe(302);
    expect(await open('/merchants/lamp-house')).not.toContain('left out');
    for (const wrong of ['', '1', '1.', '0.0', `${id}x`, '1.5.6.x']) {
      expect([wrong, (await act('count', wrong)).status]).toEqual([wrong, 400]);
    }
    expect((await act('leave-out-nonsense')).status).toBe(400);
    expect((await act('leave-out-price', '999999.1')).status).toBe(302);
    const audit = await visitor.open('/admin/audit');
    expect(textOf(audit.html)).toContain('out of the discount check, giving the reason');
  });

  test('does not change a reduction through another merchant’s URL', async () => {
    const visitor = await signedInVisitor(database, site, 'admin');
    const path = `/admin/merchants/${merchant}/discount-check`;
    const [, id = ''] = /name="id" value="([\d.]+)"/.exec((await visitor.open(path)).html) ?? [];
    const other = await insertMerchant(database.db);
    await visitor.send(`/admin/merchants/${other.id}/discount-check`, {
      intent: 'leave-out-pack',
      id,
    });
    const left = database.db.selectFrom('reduction_checks').where('left_out', 'is not', null);
    expect(await left.selectAll().execute()).toEqual([]);
    expect((await visitor.open('/admin/merchants/999999/discount-check')).status).toBe(404);
  });
});
