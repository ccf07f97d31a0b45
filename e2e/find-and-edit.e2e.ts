import { describe, expect, test } from 'vitest';
import { examine } from './examine-page.ts';
import { useOwnShop } from './current-shop.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { openHydrated } from './page-alive.ts';

useOwnShop();
const browser = useBrowser();

async function staff(options: Parameters<typeof browser.visit>[0] = {}) {
  const visitor = await browser.visit({ reducedMotion: 'reduce', ...options });
  await openStaffSession(visitor.page.context(), 'finder');
  return visitor;
}

/** The newest live deal, which is first in the list. */
const newestDeal = () =>
  withShopDatabase((db) =>
    db
      .selectFrom('deals')
      .select(['id', 'title', 'sale_price'])
      .where('is_active', '=', true)
      .where('is_expired', '=', false)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow(),
  );

describe('find', () => {
  test('finds and opens a deal and a setting by keyboard from any screen', async () => {
    const deal = await newestDeal();
    const { page, complaints } = await staff();
    await openHydrated(page, '/admin/clicks');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: /^Find/ });
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.getByRole('option', { name: 'Add Deal' }).waitFor();
    await field.fill(deal.title);
    await page.getByRole('option', { name: deal.title }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/admin/deals/${deal.id}/edit`);

    await openHydrated(page, '/admin/users');
    await page.keyboard.press('Control+k');
    await field.fill('time zone');
    await page.getByRole('option', { name: 'Time zone Settings, Site' }).click();
    await page.waitForURL('**/admin/settings?section=site');
    expect(await page.getByRole('dialog', { name: 'Find' }).isVisible()).toBe(false);
    await page.keyboard.press('Control+k');
    await field.fill('no such thing anywhere');
    await page.getByText('Nothing matches “no such thing anywhere”.').waitFor();
    await examine(page);
    await page.keyboard.press('Escape');
    expect(complaints).toEqual([]);
  });

  test('searches from the menu on a phone, and on a page without JavaScript', async () => {
    const { page } = await staff({ viewport: { width: 390, height: 844 } });
    await openHydrated(page, '/admin');
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('link', { name: /^Find/ }).click();
    await page.getByRole('combobox', { name: /^Find/ }).fill('newsl');
    await page.getByRole('option', { name: 'New Newsletter' }).waitFor();

    const bare = await staff({ javaScriptEnabled: false });
    await bare.page.goto('/admin');
    await bare.page.getByRole('link', { name: /^Find/ }).click();
    await bare.page.getByRole('searchbox', { name: 'Find' }).fill('newsl');
    await bare.page.getByRole('button', { name: 'Find' }).click();
    await bare.page.getByRole('link', { name: 'New Newsletter' }).waitFor();
  });
});

describe('the deal list', () => {
  test('filters while the user types, and keeps a space between two words', async () => {
    const { page } = await staff();
    await openHydrated(page, '/admin/deals');
    const search = page.getByRole('searchbox', { name: 'Search by title or merchant' });
    await search.pressSequentially('camera ');
    await page.waitForURL('**/admin/deals?q=camera');
    await search.pressSequentially('with');
    await page.waitForURL('**/admin/deals?q=camera+with');
    expect(await search.inputValue()).toBe('camera with');
  });

  test('edits a price in its row, shows an error there, and undoes the change', async () => {
    const deal = await newestDeal();
    const { page, complaints } = await staff();
    await openHydrated(page, '/admin/deals');
    const row = page.locator('tbody tr', { hasText: deal.title });
    await row.getByRole('button', { name: `Change the price of ${deal.title}` }).click();
    const field = page.getByLabel('New price');
    await field.fill('free');
    await page.keyboard.press('Enter');
    await page.getByText('Must be a price of at least').waitFor();
    expect(await field.inputValue()).toBe('free');
    await field.fill('12.34');
    await page.keyboard.press('Enter');
    await row.getByText('$12.34').waitFor();
    await expect.poll(async () => (await newestDeal()).sale_price).toBe(1234);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await newestDeal()).sale_price).toBe(deal.sale_price);
    // The browser logs the status of the rejected price.
    expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([]);
  });
});
