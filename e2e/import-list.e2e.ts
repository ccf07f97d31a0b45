import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask } from '#database/ask.ts';
import { examine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';

const browser = useBrowser();

/** Returns a list with two deals of the shop, an unknown product, and a line of plain text. */
async function writeList(): Promise<string> {
  const deals = await withShopDatabase(
    (db) =>
      ask(db).rows<{ deal_url: string; price: number }>`
      select d.deal_url, d.sale_price / 200 as price from deals d join merchants m on m.id = d.merchant_id
       where d.is_active and not d.is_expired and m.allow_alerts and m.hide_price_after_hours is null
         and not exists (select from deals o where o.deal_url = d.deal_url and o.id <> d.id)
       order by d.id limit 2`,
  );
  const lines = deals.map(({ deal_url: link, price }) => `${link}\t${price}`);
  return [...lines, 'https://unheard-of.example/xqzj-thing', 'some words'].join('\n');
}

const previewList = async (page: Page) => {
  await openStaffSession(page.context(), 'importer', { role: 'user' });
  await page.goto('/favorites');
  await page.getByRole('link', { name: 'Import your list' }).click();
  await page.getByLabel('Or paste your list').fill(await writeList());
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('3 lines of 4 recognized, 2 deals found.').waitFor();
  await page.getByText('Line 4: not a link').waitFor();
};
const addAll = async (page: Page) => {
  await page.getByRole('button', { name: 'Add 2 favorites' }).click();
  await page.getByText('Added 2 favorites and 2 price alerts.').waitFor();
};
const undo = async (page: Page) => {
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Removed 2 favorites and 2 price alerts.').waitFor();
};

test('imports a list as favorites and alerts, and undoes it, without JavaScript', async () => {
  const { page } = await browser.visit({ javaScriptEnabled: false });
  await previewList(page);
  await addAll(page);
  await undo(page);
  await page.goto('/favorites');
  await page.getByText('No Favorites Yet').waitFor();
});

test('passes axe on each page of a list import', async () => {
  const { page } = await browser.visit();
  await previewList(page);
  expect(await examine(page)).toEqual([]);
  await addAll(page);
  expect(await examine(page)).toEqual([]);
  await undo(page);
});

test('requests a product from the list with one press, in another tab', async () => {
  const { page } = await browser.visit();
  await openStaffSession(page.context(), 'importer', { role: 'user' });
  await page.goto('/favorites/import');
  await page.getByLabel('Or paste your list').fill('https://unheard-of.example/xqzj-other');
  await page.getByRole('button', { name: 'Preview' }).click();
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: /^Ask us to add/ }).click();
  const check = await opened;
  await check.getByText('We received your request.').waitFor();
  await page.getByText('Line 1: no matching deal').waitFor();
});
