import { beforeEach, expect, test } from 'vitest';
import { matchProducts } from '#app/features/products/match-offers.server.ts';
import { ask } from '#database/ask.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import { type TestVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database);
const phone = { title: 'Lumo Nova 15', gtin: '4006381333931' };
const tablet = { title: 'Lumo Slate 11', gtin: '4006381333948' };
let staff: TestVisitor;
let stores: number[];
let deals: number[];

beforeEach(async () => {
  const { db } = database;
  staff = await signedInVisitor(database, site, 'admin', { id: 'staff' });
  stores = [];
  deals = [];
  for (const name of ['Alpha', 'Beta']) {
    stores.push((await insertMerchant(db, { name, matches_freely: true })).id);
  }
  for (const facts of [phone, tablet]) {
    for (const merchant_id of stores) {
      deals.push((await insertDeal(db, { merchant_id, ...facts })).id);
    }
  }
  await matchProducts(db);
});

const products = () =>
  ask(database.db).column<number | null>`select product_id from deals order by id`;
const pathOf = (product: number | null | undefined) => `/admin/deals/products/${product}`;
const lastAct = () => ask(database.db).value<number>`select max(id) from product_acts`;

const wordsOf = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>|<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

/** Posts a form and returns the text of the next page. */
async function post(path: string, fields: Record<string, string>): Promise<string> {
  const answer = await staff.send(path, fields);
  expect(answer.status).toBe(302);
  return wordsOf((await staff.open(answer.headers.get('location') ?? '')).html);
}

test('shows a product’s offers with their GTINs and how each was linked', async () => {
  const [one] = await products();
  const extra = await insertDeal(database.db, { ...phone, gtin: null, merchant_id: stores[0] });
  const edit = `/admin/deals/${extra.id}/edit`;
  expect(wordsOf((await staff.open(edit)).html)).toContain('No other store’s deal is linked');
  expect(await post(edit, { intent: 'link-product', product: 'nothing' })).toContain(
    'No product matches',
  );
  expect(await post(edit, { intent: 'link-product', product: 'Lumo' })).toContain(
    'Several products match',
  );
  expect(await post(edit, { intent: 'link-product', product: phone.gtin })).toContain(
    'Part of Lumo Nova 15',
  );
  const words = wordsOf((await staff.open(pathOf(one))).html);
  expect(words).toContain(`Alpha, GTIN ${phone.gtin}`);
  expect(words).toContain('Alpha, no GTIN');
  expect(words).toContain('Linked “Lumo Nova 15”');
  expect((await staff.open(pathOf(999))).status).toBe(404);
});

test('merges products, redirects the old address, and undoes it', async () => {
  const [one, , two] = await products();
  const found = wordsOf((await staff.open(`${pathOf(two)}?q=nova`)).html);
  expect(found).toContain('2 offers Merge into this : Lumo Nova 15');
  const words = await post(pathOf(two), { intent: 'merge', to: String(one) });
  expect(words).toContain('Merged into Lumo Nova 15');
  expect(await products()).toEqual([one, one, one, one]);
  const visit = await staff.open(`/products/lumo-slate-11-${tablet.gtin}`);
  expect([visit.status, visit.headers.get('location')]).toEqual([
    301,
    `/products/lumo-nova-15-${phone.gtin}`,
  ]);
  const undo = { intent: 'undo', act: String(await lastAct()) };
  expect(await post(pathOf(two), undo)).toContain('Undone.');
  expect(await products()).toEqual([one, one, two, two]);
  expect(await post(pathOf(two), undo)).toContain('This was already undone.');
});

test('moves an offer, takes it out of its product, and marks a GTIN as shared', async () => {
  const [one, , two] = await products();
  const moving = wordsOf((await staff.open(`${pathOf(two)}?move=${deals[3]}&q=${one}`)).html);
  expect(moving).toContain('Move “Lumo Slate 11” to another product');
  await post(pathOf(two), { intent: 'move', deal: String(deals[3]), to: String(one) });
  expect(await products()).toEqual([one, one, two, one]);
  await post(pathOf(one), { intent: 'split', deal: String(deals[3]) });
  expect(await products()).toEqual([one, one, two, null]);
  const edit = wordsOf((await staff.open(`/admin/deals/${deals[3]}/edit`)).html);
  expect(edit).toContain('Taken out of Lumo Nova 15');
  await post(pathOf(one), { intent: 'share', gtin: phone.gtin });
  expect((await products()).slice(0, 2)).toEqual([null, null]);
  await matchProducts(database.db);
  expect((await products()).slice(0, 2)).toEqual([null, null]);
  expect(await post(pathOf(one), { intent: 'share', gtin: phone.gtin })).toContain(
    'has changed in the meantime',
  );
  expect((await staff.send(pathOf(one), { intent: 'x' })).status).toBe(400);
});
