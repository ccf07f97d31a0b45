import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useOwnShop } from './current-shop.ts';
import { examine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession } from './open-staff-session.ts';
import { waitForText as said } from './wait-for-text.ts';

useOwnShop();
const browser = useBrowser();

async function staff(options: BrowserContextOptions = {}) {
  const visitor = await browser.visit({ reducedMotion: 'reduce', ...options });
  await openStaffSession(visitor.page.context(), 'pages');
  return visitor;
}

/** Reloads a page until it contains a text, because caches are invalidated after the response. */
async function loadUntil(page: Page, path: string, text: string) {
  await expect
    .poll(async () => {
      await page.goto(path);
      return page.locator('body').innerText();
    })
    .toContain(text);
}

test('adds a page, moves it to a new URL, and links it in the header', async () => {
  const { page, complaints } = await staff();
  const { page: visitor } = await browser.visit();
  await page.goto('/admin/pages/new');
  await page.getByLabel('Title', { exact: true }).fill('Shipping costs');
  await page.getByLabel('Content').fill('## Parcels\n\nParcels cost **$4**. <script>1</script>');
  expect(await examine(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).last().click();
  await said(page, 'Page created.');
  expect(await examine(page)).toEqual([]);

  await visitor.goto('/shipping-costs');
  expect(await visitor.getByRole('heading', { level: 1 }).textContent()).toBe('Shipping costs');
  expect(await visitor.locator('main strong').textContent()).toBe('$4');
  expect(await visitor.locator('main').innerHTML()).not.toContain('<script>1');
  expect(await examine(visitor)).toEqual([]);

  await page.getByRole('link', { name: 'Shipping costs' }).first().click();
  await page.getByLabel('Slug').fill('deals');
  await page.getByRole('button', { name: 'Save' }).last().click();
  await said(page, '/deals is an address of the site itself. Choose another.');
  await page.getByLabel('Slug').fill('guides/parcels/shipping');
  await page.getByRole('button', { name: 'Save' }).last().click();
  await said(page, 'Page updated.');
  await loadUntil(visitor, '/guides/parcels/shipping', 'Parcels cost $4.');
  await visitor.goto('/shipping-costs');
  expect(new URL(visitor.url()).pathname).toBe('/guides/parcels/shipping');

  await page.goto('/admin/menus');
  await page.getByLabel('Menu', { exact: true }).selectOption('header');
  await page.getByLabel('Label', { exact: true }).fill('Shipping');
  await page.getByLabel('Or an address').fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Add link' }).click();
  await page.locator('[aria-invalid=true]').waitFor();
  await page.getByLabel('Or an address').fill('/guides/parcels/shipping');
  expect(await examine(page)).toEqual([]);
  await page.getByRole('button', { name: 'Add link' }).click();
  await said(page, '“Shipping” added.');
  await page.getByRole('button', { name: 'Move Shipping up' }).click();
  await said(page, '“Shipping” moved.');
  await loadUntil(visitor, '/', 'Shipping');
  const links = await visitor.locator('header nav').first().getByRole('link').allTextContents();
  expect(links.indexOf('Shipping')).toBe(links.length - 2);
  // Chromium logs the status of the two rejected forms.
  expect(complaints.filter((line) => !line.includes('status of 422'))).toEqual([]);
});

test('edits a text of the site and restores the original without JavaScript', async () => {
  const { page } = await staff({ javaScriptEnabled: false });
  const { page: visitor } = await browser.visit();
  await visitor.goto('/about');
  const original = await visitor.locator('main').innerText();
  await page.goto('/admin/pages/texts/about');
  await page.getByLabel('Content').fill('Text without a section');
  await page.getByRole('button', { name: 'Save' }).last().click();
  await said(page, 'Needs at least one section');
  await page
    .getByLabel('Content')
    .fill('## Who we are\n\n### The owners\n\nTwo sisters in {{name}}.');
  await page.getByRole('button', { name: 'Preview' }).click();
  await said(page, 'Two sisters in');
  await page.getByRole('button', { name: 'Save' }).last().click();
  await said(page, 'Page updated.');
  await loadUntil(visitor, '/about', 'Two sisters in');

  await page.goto('/admin/pages/texts/about');
  const restore = page.getByRole('button', { name: 'Restore the original' });
  await restore.first().click();
  await restore.last().click();
  await said(page, 'The original text is shown again.');
  await expect
    .poll(async () => {
      await visitor.goto('/about');
      return visitor.locator('main').innerText();
    })
    .toBe(original);
});
