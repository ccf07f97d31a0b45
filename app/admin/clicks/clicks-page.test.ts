import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, test } from 'vitest';
import { addClicks } from '#app/features/clicks/click-queries.server.ts';
import {
  insertCategory,
  insertDeal,
  insertFeedSource,
  insertMerchant,
} from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import { type TestVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database);
let staff: TestVisitor;

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const longAgo = new Date(Date.now() - 31 * 86_400_000);
const wordsOf = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>|<!--.*?-->|<title>.*?<\/title>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
const open = async (search = '') => wordsOf((await staff.open(`/admin/clicks${search}`)).html);

/**
 * Creates two stores, one of them with a feed, one deal without clicks, and two deals too new to
 * have any.
 */
async function aShop() {
  const { db } = database;
  const acme = (await insertMerchant(db, { name: 'Acme' })).id;
  const zed = (await insertMerchant(db, { name: 'Zed' })).id;
  const category_id = (await insertCategory(db, { name: 'Tools' })).id;
  const source = await insertFeedSource(db, { merchant_id: zed, name: 'Zed’s feed' });
  const old = { category_id, created_at: longAgo };
  const saw = await insertDeal(db, { ...old, merchant_id: acme, title: 'Saw' });
  const axe = await insertDeal(db, { ...old, merchant_id: zed, title: 'Axe' });
  await db
    .updateTable('deals')
    .set({ feed_source_id: source.id })
    .where('id', '=', axe.id)
    .execute();
  await insertDeal(db, { ...old, merchant_id: acme, title: 'Dusty' });
  await insertDeal(db, { ...old, merchant_id: acme, title: 'Hidden', is_active: false });
  await insertDeal(db, { category_id, merchant_id: acme, title: 'Fresh' });
  await addClicks(db, [
    { dealId: saw.id, day: day(0), count: 2 },
    { dealId: axe.id, day: day(6), count: 30 },
    { dealId: axe.id, day: day(7), count: 16 },
    { dealId: axe.id, day: day(89), count: 1_000 },
  ]);
  return { acme, zed, category_id, source: source.id };
}

beforeEach(async () => {
  staff = await signedInVisitor(database, site, 'admin', { id: 'staff' });
});

describe('the clicks page', () => {
  test('counts clicks in a period, in the previous one, and by scope', async () => {
    await aShop();
    const month = await open();
    expect(month).toContain('Clicks in 30 days 48 The 30 days before 0 Change –');
    expect(month).toContain(`Best day 30`);
    expect(month).toContain(`30: ${day(6)}`);
    expect(month).toMatch(
      /Stores Zed 46 Acme 2 Categories Tools 48 Feeds Zed’s feed 46 Without a feed 2/,
    );
    expect(month).toMatch(/30 days Axe 46 Zed, added \w+ \d+, \d+ Saw 2 Acme/);
    expect(month).toMatch(/never clicked Dusty 0 Acme, live since/);
    expect(month).not.toContain('Fresh');
    expect(month).not.toContain('Hidden');
    const week = await open('?days=7');
    expect(week).toContain('Clicks in 7 days 32 The 7 days before 16 Change +100%');
    expect(await open('?days=90')).toContain('Clicks in 90 days 1,048');
    expect(await open('?days=364')).toContain('Clicks by week 1,048');
  });

  test('narrows clicks to a store, a category or a feed, and names it', async () => {
    const { acme, zed, category_id, source } = await aShop();
    const ofAcme = await open(`?merchant=${acme}`);
    expect(ofAcme).toContain('Clicks in 30 days 2');
    expect(ofAcme).toMatch(/Store: Acme/);
    expect(ofAcme).toMatch(/Most clicked deals, 30 days Saw 2/);
    expect(ofAcme).not.toContain('Axe');
    expect(await open(`?merchant=${zed}`)).toContain(
      'Every deal that has been live for 30 days was clicked',
    );
    expect(await open(`?category=${category_id}`)).toContain('Clicks in 30 days 48');
    expect(await open(`?feed=${source}`)).toContain('Clicks in 30 days 46');
    expect(await open('?feed=0')).toContain('Feed: Without a feed');
    expect(await open('?merchant=999999')).toContain('Store: deleted');
    expect(await open('?merchant=x&days=-1&feed=1e9')).toContain('Clicks in 30 days 48');
  });

  test('describes the empty clicks page, and explains how clicks are counted', async () => {
    const words = await open();
    expect(words).toContain('Clicks in 30 days 0');
    expect(words).toContain('No deal was clicked in the last 30 days.');
    expect(words).toContain('No deal has been live for 30 days yet.');
    expect(words).toContain('No cookie is set and no address is stored.');
    expect(words).toContain('more than 60 deals in half an hour');
  });

  test('exports a file of daily clicks and writes it to the audit log', async () => {
    const { zed } = await aShop();
    const file = async (search: string) => {
      const { html, headers } = await staff.open(`/admin/clicks/export${search}`);
      expect(headers.get('content-disposition')).toMatch(/filename="clicks-\d{4}-\d\d-\d\d\.csv"/);
      return parse(html, { bom: true, from_line: 2 });
    };
    expect(await file('?days=7')).toEqual([
      [day(6), 'Site', '', '', '30'],
      [day(6), 'Category', expect.anything(), 'Tools', '30'],
      [day(6), 'Feed', expect.anything(), 'Zed’s feed', '30'],
      [day(6), 'Store', String(zed), 'Zed', '30'],
      [day(0), 'Site', '', '', '2'],
      [day(0), 'Category', expect.anything(), 'Tools', '2'],
      [day(0), 'Feed', '', 'Without a feed', '2'],
      [day(0), 'Store', expect.anything(), 'Acme', '2'],
    ]);
    expect(await file(`?merchant=${zed}&days=90`)).toHaveLength(3);
    const { action, after } = await database.db
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect([action, after]).toEqual([
      'click.export',
      { list: `/admin/clicks?merchant=${zed}&days=90` },
    ]);
  });
});

describe('clicks on other screens', () => {
  test('shows clicks in the lists of deals, merchants and categories, and sorts by them', async () => {
    const { acme } = await aShop();
    const deals = wordsOf((await staff.open('/admin/deals?sort=-clicks')).html);
    expect(deals).toMatch(/Axe Tools Zed .*? 46 .*? Saw Tools Acme/);
    const unclicked = wordsOf((await staff.open('/admin/deals?show=unclicked')).html);
    expect(unclicked).toContain('Showing 1 deal');
    const merchants = (await staff.open('/admin/merchants?sort=-clicks')).html;
    expect(wordsOf(merchants)).toMatch(/Zed.* 46 .*Acme.* 2 /);
    expect(merchants).toContain(`href="/admin/clicks?merchant=${acme}"`);
    expect(wordsOf((await staff.open('/admin/categories?sort=-clicks')).html)).toMatch(
      /Tools .* 48 clicks in 30 days/,
    );
    expect(wordsOf((await staff.open('/admin/imports')).html)).toMatch(/Zed’s feed .* 46 /);
  });

  test('charts clicks on a deal’s page', async () => {
    await aShop();
    const { id } = await database.db
      .selectFrom('deals')
      .select('id')
      .where('title', '=', 'Axe')
      .executeTakeFirstOrThrow();
    const { html } = await staff.open(`/admin/deals/${id}/edit`);
    expect(html).toContain(
      `To the store, in 30 days: 46 in the last 30 days, maximum on ${day(6)}, 30`,
    );
  });
});
