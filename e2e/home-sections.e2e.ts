import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useOwnShop } from './current-shop.ts';
import { examine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession } from './open-staff-session.ts';
import { waitForToast as toast } from './wait-for-text.ts';

useOwnShop();
const browser = useBrowser();

/**
 * Reloads the home page until its first titles match, because caches are invalidated after the
 * response.
 */
async function expectTitles(page: Page, titles: string[]) {
  const read = async () => {
    await page.goto('/');
    const all = await page.locator('main section[aria-labelledby] h2').allInnerTexts();
    return all.filter((title) => titles.includes(title));
  };
  await expect.poll(read, { timeout: 30_000 }).toEqual(titles);
}

test('orders the home page, adds a block, and notifies search engines', async () => {
  const { page, complaints } = await browser.visit({ reducedMotion: 'reduce' });
  await openStaffSession(page.context(), 'home');
  // Some scripts try a forbidden call and catch the error, but browsers still report it to the
  // site.
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ blockedURI }) =>
      console.error(`The content policy blocked ${blockedURI}.`),
    );
  });
  const { page: visitor, complaints: ofVisitor } = await browser.visit();
  await expectTitles(visitor, ['Featured Deals', 'Shop by Category']);

  await page.goto('/admin/home');
  await page.getByRole('button', { name: 'Move Categories up' }).click();
  await toast(page, '“Categories” moved.');
  await expectTitles(visitor, ['Shop by Category', 'Featured Deals']);
  await page.getByRole('button', { name: 'Show Your own block' }).click();
  await page.getByLabel('Title of “Your own block”').fill('Who we are');
  await page.getByLabel('Text', { exact: true }).fill('We test **every** price.');
  expect(await examine(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).last().click();
  await toast(page, 'Settings saved.');
  await expect
    .poll(
      async () => {
        await visitor.goto('/');
        return visitor.getByText('We test every price.').count();
      },
      { timeout: 30_000 },
    )
    .toBe(1);
  expect(await examine(visitor)).toEqual([]);

  await page.goto('/admin/settings?section=discovery');
  await page.getByLabel('Notify search engines (IndexNow)').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Nothing is sent for now.').first().waitFor();
  expect(await examine(page)).toEqual([]);
  await visitor.goto('/indexnow-key.txt');
  expect(await visitor.locator('body').innerText()).toMatch(/^[\da-f]{32}$/);
  expect([complaints, ofVisitor]).toEqual([[], []]);
});
