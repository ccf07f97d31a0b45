import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { examine } from './examine-page.ts';
import { openStaffSession } from './open-staff-session.ts';
import { useBrowser } from './open-browser.ts';
import { openHydrated } from './page-alive.ts';
import { waitForText } from './wait-for-text.ts';

// Tests favorites in named lists, from the first heart to the end of a shared link.

const browser = useBrowser();
let count = 0;

async function open(options: { javaScriptEnabled?: boolean } = {}) {
  const visit = await browser.visit(options);
  await openStaffSession(visit.page.context(), `lister-${(count += 1)}`);
  return visit;
}

const hearts = (page: Page) => page.locator('main').getByRole('button', { name: /^Favorite: / });
const chips = (page: Page) => page.getByRole('navigation', { name: 'Your lists' });
const chip = (page: Page, name: string) => chips(page).getByRole('link', { name, exact: true });

it('sorts favorites into lists and undoes it, and shares and ends a link, without leaving the page', async () => {
  const { page, complaints } = await open();
  await openHydrated(page, '/deals');
  for (const heart of (await hearts(page).all()).slice(0, 2)) {
    await heart.click();
    await expect.poll(() => heart.getAttribute('aria-pressed'), { timeout: 30_000 }).toBe('true');
    await expect.poll(() => heart.isEnabled(), { timeout: 30_000 }).toBe(true);
  }
  await openHydrated(page, '/favorites');
  const openedAt = await page.evaluate(() => performance.timeOrigin);
  await page
    .getByRole('link', { name: /^Add to list: / })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name of your first list').fill('Kitchen');
  expect(await examine(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await chip(page, 'Kitchen 1').waitFor();
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(openedAt);

  // If a name is taken, the dialog stays open with the input.
  await chips(page).getByRole('link', { name: 'New list' }).click();
  await dialog.getByLabel('Name').fill('kitchen');
  await dialog.getByRole('button', { name: 'Create list' }).click();
  await dialog.getByText('You already have a list with this name').waitFor();
  expect(await dialog.getByLabel('Name').inputValue()).toBe('kitchen');
  await dialog.getByRole('link', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });

  await chip(page, 'Kitchen 1').click();
  await page.getByRole('heading', { name: 'Kitchen', exact: true }).waitFor();
  await openHydrated(page, new URL(page.url()).pathname + new URL(page.url()).search);
  await page.getByRole('button', { name: /^Remove from Kitchen: / }).click();
  await page.getByRole('heading', { name: 'This List Is Empty' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await chip(page, 'Kitchen 1').waitFor();
  await hearts(page).first().click();
  await waitForText(page, 'Removed from your favorites and 1 list.');
  await page.locator('[data-toasts]').getByRole('button', { name: 'Undo' }).click();
  await chip(page, 'Kitchen 1').waitFor();

  await page.getByRole('link', { name: 'Share this list' }).click();
  await dialog.getByRole('button', { name: 'Create secret link' }).click();
  const link = await dialog.getByLabel('Secret link').inputValue();
  expect(await examine(page)).toEqual([]);

  const visitor = await browser.visit();
  await openHydrated(visitor.page, new URL(link).pathname);
  await visitor.page.getByRole('heading', { name: 'Kitchen', level: 1 }).waitFor();
  expect(await visitor.page.locator('main article').count()).toBe(1);
  expect(await examine(visitor.page)).toEqual([]);
  expect(visitor.complaints).toEqual([]);

  await dialog.getByRole('button', { name: 'Stop sharing' }).click();
  await dialog.getByRole('button', { name: 'Create secret link' }).waitFor();
  await visitor.page.reload();
  await visitor.page.getByRole('heading', { name: 'List Not Found' }).waitFor();
  await visitor.page.context().close();

  await dialog.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('“Kitchen” deleted.').waitFor();
  expect(await examine(page)).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'Kitchen', exact: true }).waitFor();
  // The browser logs the status of the rejected name.
  expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([]);
  await page.context().close();
});

it('sorts favorites, undoes it, and shares and ends links through plain forms without JavaScript', async () => {
  const { page } = await open({ javaScriptEnabled: false });
  await page.goto('/deals');
  await hearts(page).first().click();
  await page.goto('/favorites');
  await chips(page).getByRole('link', { name: 'New list' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Gifts for Mum');
  await dialog.getByRole('button', { name: 'Create list' }).click();
  await page.getByRole('heading', { name: 'This List Is Empty' }).waitFor();
  await page.getByRole('link', { name: 'All Favorites', exact: true }).click();
  await page.getByRole('link', { name: /^Add to list: / }).click();
  await dialog.getByLabel('Gifts for Mum').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await chip(page, 'Gifts for Mum 1').click();
  await page.getByRole('link', { name: 'Share this list' }).click();
  await dialog.getByRole('button', { name: 'Create secret link' }).click();
  const link = await dialog.getByLabel('Secret link').inputValue();
  await dialog.getByRole('link', { name: 'Done' }).click();
  await hearts(page).click();
  await page.getByText('Removed from your favorites.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await chip(page, 'Gifts for Mum 1').waitFor();
  await page.goto(new URL(link).pathname);
  await page.getByText('A shared list of 1 deal.').waitFor();
  await page.context().close();
});
