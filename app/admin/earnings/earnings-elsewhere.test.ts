import { beforeEach, expect, test } from 'vitest';
import { importSales } from '#app/features/earnings/import-sales.server.ts';
import { listSilentStores } from '#app/features/earnings/silent-stores.server.ts';
import { encodeSubId } from '#app/features/earnings/sub-id.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database);
const today = new Date().toISOString().slice(0, 10);
const awin = 'https://www.awin1.com/cread.php?awinmid=1&awinaffid=2&ued={url}';
let admin: TestVisitor;
beforeEach(async () => void (admin = await signedInVisitor(database, site, 'admin')));

const aStore = (name: string, affiliate_template: string | null = awin, sub_id_network = 'auto') =>
  insertMerchant(database.db, { name, affiliate_template, sub_id_network });

const click = (merchantId: number, count: number) =>
  database.db
    .insertInto('click_days')
    .values({ kind: 'merchant', place_id: merchantId, day: today, count })
    .execute();

async function sell(merchantId: number, status: 'pending' | 'declined' = 'pending') {
  const deal = await insertDeal(database.db, { merchant_id: merchantId });
  const subId = await encodeSubId(database.db, {
    target: { kind: 'deal', id: deal.id },
    source: { channel: 'site', newsletterId: null },
    day: today,
  });
  const transactionId = String(deal.id);
  await importSales(database.db, { network: 'awin', fileName: 'a.csv', actor: 'cli' }, [
    { transactionId, status, amount: 500, currency: 'USD', day: today, subId },
  ]);
  return deal;
}

const silent = async () =>
  (await listSilentStores(database.db, new Date())).map(({ name }) => name);

test('warns of a store with 40 clicks and no sale once any store had one', async () => {
  const good = await aStore('Good');
  const quiet = await aStore('Quiet lamps');
  const few = await aStore('Few');
  const declined = await aStore('Declined');
  const elsewhere = await aStore('Elsewhere', 'https://shop.example/?u={url}');
  const off = await aStore('Off', awin, 'off');
  const plain = await aStore('Plain', null);
  for (const { id } of [good, quiet, declined, elsewhere, off, plain]) await click(id, 40);
  await click(few.id, 39);
  expect(await silent()).toEqual([]);
  await sell(good.id);
  await sell(declined.id, 'declined');
  expect(await silent()).toEqual(['Quiet lamps']);
  const { html } = await admin.open('/admin/earnings');
  expect(html).toContain('40 clicks, no sale in 14 days');
  expect((await admin.open('/admin')).html).toContain('1 store had 40 clicks and no sale');
  await sell(quiet.id);
  expect(await silent()).toEqual([]);
  expect((await admin.open('/admin')).html).not.toContain('no sale in 14 days');
});

test('warns of links of a network without a template, and of a network chosen by hand', async () => {
  const linked = await aStore('Linked', null);
  const chosen = await aStore('Chosen', null, 'impact');
  const direct = await aStore('Direct', null);
  const forbidden = await aStore('Forbidden', null, 'off');
  const cj = 'https://www.anrdoezrs.net/click-1-2?url=https%3A%2F%2Fshop.example%2F';
  for (const { id } of [linked, forbidden])
    await insertDeal(database.db, { merchant_id: id, deal_url: cj });
  await insertDeal(database.db, { merchant_id: direct.id, deal_url: 'https://shop.example/a' });
  for (const { id } of [linked, chosen, direct, forbidden]) await click(id, 40);
  expect(await silent()).toEqual([]);
  await sell((await aStore('Good')).id); // by Awin
  expect(await silent()).toEqual(['Linked', 'Chosen']);
});

test('shows earnings per click beside the clicks of stores and deals', async () => {
  const store = await aStore('Lamps');
  await click(store.id, 50);
  await sell(store.id);
  expect((await admin.open('/admin/clicks')).html).toContain('$5.00 earned, $0.100 per click');
  expect((await admin.open('/admin/merchants')).html).toContain('$0.100');
});
