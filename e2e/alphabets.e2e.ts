import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { insertDeal } from '#test/factories/insert.ts';
import { useOwnShop } from './current-shop.ts';
import { openAndExamine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { openHydrated } from './page-alive.ts';

useOwnShop();
const browser = useBrowser();

const titles = ['Беспроводные наушники Sony', 'Kaffeemühle, Größe L', 'ワイヤレスイヤホン 黒'];

beforeAll(() =>
  withShopDatabase(async (db) => {
    const owner = db.selectFrom('deals').select(['category_id', 'merchant_id']).limit(1);
    const owners = await owner.executeTakeFirstOrThrow();
    for (const [n, title] of titles.entries())
      await insertDeal(db, { ...owners, title, slug: `alphabet-${n}` });
  }),
);

const results = (page: Page) => page.getByRole('heading', { level: 3 }).allTextContents();

describe('a search in any alphabet', () => {
  test('suggests completions in any alphabet and case, and shows the results', async () => {
    const { page, complaints } = await browser.visit();
    await openHydrated(page, '/');
    await page.locator('#header-search').pressSequentially('НАУШН');
    const option = page.locator('#header-search-list [role=option]');
    await option.filter({ hasText: 'Беспроводные наушники Sony' }).waitFor();
    expect(await option.locator('b').allTextContents()).toEqual(['Беспроводные ', 'ики Sony']);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Search Results for "НАУШН"' }).waitFor();
    expect(await results(page)).toEqual(['Беспроводные наушники Sony']);
    expect(complaints).toEqual([]);
  });

  test.each([
    ['KAFFEEMUHLE GROSSE', 'Kaffeemühle, Größe L'],
    ['イヤホン', 'ワイヤレスイヤホン 黒'],
  ])(
    'matches the search %s with the deal %s on a phone in the dark theme',
    async (typed, title) => {
      const options = { colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const;
      const { page, complaints } = await browser.visit(options);
      const address = `/deals?search=${encodeURIComponent(typed)}`;
      expect(await openAndExamine(page, { name: typed, address, status: 200 })).toEqual([]);
      expect(await results(page)).toEqual([title]);
      expect(complaints).toEqual([]);
    },
  );

  test('corrects a typing error with the site’s own words in any alphabet', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, `/deals?search=${encodeURIComponent('наушнеки')}`);
    await page.getByText('Showing results for наушники').waitFor();
    expect(await results(page)).toEqual(['Беспроводные наушники Sony']);
  });

  test('lets staff find a deal in any alphabet', async () => {
    const { page } = await browser.visit();
    await openStaffSession(page.context(), 'deals');
    await page.goto('/admin/deals?q=KAFFEEMUHLE');
    await page.getByRole('row').filter({ hasText: 'Kaffeemühle, Größe L' }).waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'наушники' }).count()).toBe(0);
  });
});
