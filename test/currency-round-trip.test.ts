import { expect, test } from 'vitest';
import { dealFormValues, readDealForm } from '#app/admin/deals/read-deal-form.server.ts';
import { dealsTable } from '#app/features/deals/deals-table.ts';
import { dealExportHeadings, exportDeals } from '#app/features/deals/export-deals.server.ts';
import { findEditableDeal } from '#app/features/deals/publish-deal.server.ts';
import { mails } from '#app/mails.server.ts';
import { parseMoney } from '#app/platform/money.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import { useCurrencyShop } from '#test/currency-shop.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertUser } from '#test/factories/insert.ts';
import { sampleSite } from '#test/sample-mails.ts';
import { testSite } from '#test/site.ts';

const database = useTestDatabase();
const site = testSite(database);
const shop = useCurrencyShop(database);

const plain = (text: string) => text.replaceAll(/\u00A0|&nbsp;/g, ' ');

// Proves P2: yen and dinars from feed to export and back (app/platform/money.ts)
test.each([
  ['JPY', { dear: 199_950, cheap: 129_950, decimal: '129950', shown: '¥129,950' }],
  ['KWD', { dear: 1_999_500, cheap: 1_299_500, decimal: '1299.500', shown: 'KWD 1,299.500' }],
])('accepts a price in %s and returns it unchanged everywhere', async (currency, price) => {
  const { db } = database;
  const { dear, cheap, decimal, shown } = price;
  await shop.setCurrency(currency);
  await shop.feed(dear, currency);
  const { id, slug } = await shop.theDeal();
  const user = await insertUser(db);
  await db
    .insertInto('price_alerts')
    .values({ user_id: user.id, deal_id: id, kind: 'target', target_price: cheap })
    .execute();
  await shop.feed(cheap, currency);
  expect(await shop.theLog()).toEqual([`${dear} ${currency}`, `${cheap} ${currency}`]);

  // The form is submitted unchanged.
  const deal = await findEditableDeal(db, id);
  if (!deal) throw new Error('no deal');
  const unit = { currency, timeZone: 'UTC' };
  const form = new FormData();
  for (const [name, value] of Object.entries(await dealFormValues(db, deal, unit))) {
    if (value !== '') form.set(name, value);
  }
  expect(form.get('sale_price')).toBe(decimal);
  const read = await readDealForm(db, form, unit);
  expect(read).toMatchObject({ ok: true, input: { sale_price: cheap } });

  const page = await site.page(`/deals/${slug}`);
  expect(plain(page.html)).toContain(shown);
  expect(page.html).toContain(`"priceCurrency":"${currency}"`);
  const inJson = /"price":"?([\d.]+)/.exec(page.html)?.[1];
  expect(parseMoney(inJson ?? '', currency)).toBe(cheap);

  const [mail] = await db.selectFrom('mail_outbox').selectAll().execute();
  if (!mail) throw new Error('no mail');
  const written = await mails[mail.kind]?.write(db, mail, { ...sampleSite, currency }, 'send');
  expect(plain(written?.html ?? '')).toContain(shown);

  const answer = await (await site.request(`/api/v1/deals/${id}`)).json();
  expect(answer).toMatchObject({ price: { current: { amount: cheap, currency } } });

  const headings = dealExportHeadings();
  const query = parseTableQuery(dealsTable, new URLSearchParams());
  const [row = []] = await Array.fromAsync(exportDeals(db, query));
  const exported = (heading: string) => row[headings.indexOf(heading)];
  expect([exported('Sale Price'), exported('Currency')]).toEqual([decimal, currency]);
  const again = parseMoney(String(exported('Sale Price')), String(exported('Currency')));
  expect(await shop.feed(again ?? 0, currency)).toMatchObject({ counts: { unchanged: 1 } });
  expect(await shop.theDeal()).toMatchObject({ sale_price: cheap, currency });
});
