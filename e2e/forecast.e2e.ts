import { beforeAll, describe, expect, it } from 'vitest';
import { forecastPrices } from '#app/features/prices/forecast-prices.server.ts';
import { insertCategory, insertMerchant } from '#test/factories/insert.ts';
import { plantDeal } from '#test/factories/plant-prices.ts';
import { emptyShop, useOwnShop } from './current-shop.ts';
import { everyLook, openAndExamineIn } from './examine-page.ts';
import { sentFaults } from './html-faults.ts';
import { useBrowser } from './open-browser.ts';
import { withShopDatabase } from './open-staff-session.ts';

useOwnShop(emptyShop);
const browser = useBrowser();
const day = 86_400_000;

beforeAll(() =>
  withShopDatabase(async (db) => {
    const category_id = (await insertCategory(db)).id;
    const merchant_id = (await insertMerchant(db, { name: 'Lamp House' })).id;
    const lines = Array.from({ length: 20 }, (_, n) => ({
      daysAgo: 412 - 20 * n,
      price: n % 5 === 4 ? 8_900 : 9_900,
    }));
    const lamp = { category_id, merchant_id, title: 'Desk lamp', slug: 'desk-lamp' };
    const deal_id = await plantDeal(db, [...lines, { daysAgo: 12, price: 9_900 }], lamp);
    const rows = Array.from({ length: 300 }, (_, n) => ({
      deal_id,
      made_on: new Date(Date.now() - (40 + n) * day).toISOString().slice(0, 10),
      price: 9_900,
      share: (n % 30) / 50,
      judged_on: new Date(Date.now() - day).toISOString().slice(0, 10),
      fell: (n * 7) % 50 < n % 30,
    }));
    await db.insertInto('forecasts').values(rows).execute();
    await forecastPrices({ db, now: () => new Date() });
  }),
);

describe('the frequency of price drops', () => {
  it('shows how often a price falls under its price history, and links to the accuracy of past forecasts', async () => {
    const { page, complaints } = await browser.visit();
    await page.goto('/deals/desk-lamp');
    const history = page.getByRole('region', { name: 'Price history' });
    const evidence = page.getByRole('region', { name: 'The evidence' });
    await evidence.getByRole('term').filter({ hasText: 'Should I wait?' }).waitFor();
    await evidence
      .getByText(/within 30 days about 1 time in \d, between .* Based on 413 logged days/)
      .waitFor();
    await history.getByRole('link', { name: '1 year' }).click();
    await page.waitForURL('**?days=365');
    await evidence.getByRole('link', { name: 'How often we were right' }).click();
    await page.waitForURL('**/how-we-rank#forecasts');
    const card = page.getByRole('table', { name: 'Predicted and actual frequencies' });
    expect(await card.getByRole('row').count()).toBe(6);
    await page.getByText('300 forecasts were judged in the last 12 weeks').waitFor();
    expect(complaints).toEqual([]);
  });

  it.each(['/deals/desk-lamp', '/how-we-rank'])(
    'passes the audit with forecasts at %s, in both themes, on a desktop and on a phone',
    async (address) => {
      const { page } = await browser.visit();
      const kind = { name: address, address, status: 200 };
      const found = await openAndExamineIn(everyLook, page, kind);
      expect(found.flat()).toEqual([]);
      expect(await sentFaults(page, address)).toEqual({ status: 200, faults: [] });
    },
  );
});
