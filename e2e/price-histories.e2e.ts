import { expect, test } from 'vitest';
import { toDecimal } from '#app/platform/money.ts';
import { useOwnShop } from './current-shop.ts';
import { examine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { openHydrated } from './page-alive.ts';

useOwnShop();
const browser = useBrowser();

/** A deal with a price log, and a file with its prices from earlier months. */
const fileOfPrices = () =>
  withShopDatabase(async (db) => {
    const deal = await db
      .selectFrom('deals')
      .innerJoin('merchants', 'merchants.id', 'deals.merchant_id')
      .select(['deals.slug', 'sale_price', 'currency'])
      .where('deals.is_active', '=', true)
      .where('is_expired', '=', false)
      .where('keep_history', '=', true)
      .where('hide_price_after_hours', 'is', null)
      .where((eb) =>
        eb.exists(eb.selectFrom('price_log').whereRef('price_log.deal_id', '=', 'deals.id')),
      )
      .orderBy('deals.id')
      .executeTakeFirstOrThrow();
    const price = toDecimal(deal.sale_price, deal.currency);
    const rows = [`${deal.slug},2019-01-02,${price}`, `${deal.slug},1990-01-02,${price}`];
    return { slug: deal.slug, csv: `deal,date,price\n${rows.join('\n')}\n` };
  });

test('imports a price history, shows it separately on the deal page, and undoes it', async () => {
  const { slug, csv } = await fileOfPrices();
  const { page, complaints } = await browser.visit({ reducedMotion: 'reduce' });
  await openStaffSession(page.context(), 'mover');
  await openHydrated(page, '/admin/move-in/price-histories');
  const file = { name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
  await page.getByLabel('Price file').setInputFiles(file);
  await page.getByLabel('Price source').fill('Keepa');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Preview: 1 price, 1 row left out').waitFor();
  await page.getByRole('heading', { name: 'The date is before 1995' }).waitFor();
  expect(await examine(page)).toEqual([]);
  await page.getByRole('button', { name: 'Move in' }).click();
  await page.getByText('Imported: 1 price, 1 row left out').waitFor();

  const address = page.url();
  await openHydrated(page, `/deals/${slug}?days=all`);
  const history = page.getByRole('region', { name: 'Price history' });
  await history.getByText('prices from Keepa, not seen by us.').last().waitFor();
  expect(await examine(page)).toEqual([]);

  await openHydrated(page, address);
  await page.getByRole('button', { name: 'Undo this move' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo this move' }).click();
  await page.getByText('Undone: 1 price').waitFor();
  await openHydrated(page, `/deals/${slug}?days=all`);
  expect(await history.getByText('not seen by us').count()).toBe(0);
  expect(complaints).toEqual([]);
});
