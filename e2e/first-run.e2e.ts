import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { codeNow, keyIn } from '#test/authenticator-app.ts';
import { settingsTabs, tabHref } from '#app/admin/settings/settings-tabs.ts';
import { emptyShop, useOwnShop } from './current-shop.ts';
import { openAndExamine } from './examine-page.ts';
import { sentFaults } from './html-faults.ts';
import { useBrowser } from './open-browser.ts';
import { openHydrated } from './page-alive.ts';

// Tests an owner's first minutes with an empty site, and the dashboard afterwards.

const shop = useOwnShop(emptyShop, { isEmbedded: true });
const browser = useBrowser();
let state: BrowserContextOptions['storageState'];

// Proves Design: First run: four steps, checklist
test('sets up an empty site in five steps through the printed link, which then becomes invalid', async () => {
  const link = shop().setupLink ?? '';
  const { page, complaints } = await browser.visit();
  await page.goto(link);
  await page.getByLabel('Full Name').fill('Olivia Owner');
  await page.getByLabel('Email', { exact: true }).fill('owner@barn.example');
  await page.getByLabel('Password', { exact: true }).fill('three-brown-cows-42');
  await page.getByRole('button', { name: 'Create account' }).click();

  await page.getByText('Step 2 of 5').waitFor();
  await page.getByLabel('Site name').fill('Bargain Barn');
  await page.getByLabel('Opening year').fill('nonsense');
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await page.getByRole('alert').getByText('A year from 1990 to this year').waitFor();
  await page.getByLabel('Opening year').fill('');
  await page.getByLabel('Currency').selectOption('EUR');
  await page.getByRole('button', { name: 'Save and continue' }).click();

  await page.getByText('Step 3 of 5').waitFor();
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await page.getByText('Step 2 of 5').waitFor();
  expect(await page.getByLabel('Site name').inputValue()).toBe('Bargain Barn');
  await page.goBack();
  await page.getByText('Step 3 of 5').waitFor();
  await page.getByRole('link', { name: 'Skip', exact: true }).click();
  await page.getByText('Step 4 of 5').waitFor();
  await page.getByRole('link', { name: 'Skip', exact: true }).click();

  await page.getByText('Step 5 of 5').waitFor();
  // The site started empty (SEED=none), so the page suggests nothing else.
  expect(await page.getByRole('radio', { name: /^Start empty/ }).isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.getByRole('heading', { name: 'Getting started: 0 of 5 done' }).waitFor();
  state = await page.context().storageState();

  await page.goto('/');
  await page.getByRole('link', { name: 'Bargain Barn home' }).first().waitFor();
  // The invalid year causes one 422, which the browser logs.
  expect(complaints.filter((words) => !words.includes('422'))).toEqual([]);
  expect((await page.goto(link))?.status()).toBe(404);
});

test('confirms, adds and shows the sample data without JavaScript', async () => {
  const { page } = await browser.visit({
    storageState: state,
    javaScriptEnabled: false,
  });
  await page.goto('/admin');
  await page.getByRole('button', { name: 'Seed Data' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Seed Data' }).click();
  await page.getByText('Sample data seeded successfully!').waitFor();
  await page.getByRole('button', { name: 'Remove it', exact: true }).click();
  await page.getByRole('button', { name: 'Remove demo data' }).click();
  await page.getByText('Demo data removed: 2 deals').waitFor();
});

test('shows the result of a test email without a reload', async () => {
  const { page, complaints } = await browser.visit({ storageState: state });
  await page.goto('/admin/settings?section=mail');
  await page.getByRole('button', { name: 'Send a test email' }).click();
  await page.getByText('Kept: no email server').waitFor();
  expect(complaints).toEqual([]);
});

test('deletes the browser’s storage when Clear Cache is pressed', async () => {
  const { page } = await browser.visit({ storageState: state });
  await openHydrated(page, '/admin/settings?section=data');
  await page.evaluate(() => localStorage.setItem('theme', 'dark'));
  await page.getByRole('button', { name: 'Clear Cache' }).click();
  await page.locator(':text("Cache cleared successfully!"):visible').first().waitFor();
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBeNull();
});

test.each([
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 390 },
] as const)(
  'passes axe, the validator and a $colorScheme window of $width on the dashboard',
  async ({ colorScheme, width }) => {
    const { page } = await browser.visit({
      storageState: state,
      colorScheme,
      viewport: { width, height: 850 },
    });
    const faults: string[] = [];
    const addresses = [
      '/admin',
      '/admin/setup/site',
      '/admin/setup/brand',
      '/admin/setup/mail',
      '/admin/setup/data',
      '/admin/settings/mail-server',
      '/admin/settings/brand',
      ...settingsTabs.map(({ name }) => tabHref(name)),
    ];
    for (const address of addresses) {
      const found = await openAndExamine(page, { name: address, address, status: 200 });
      found.push(...(await sentFaults(page, address)).faults);
      faults.push(...found.map((fault) => `${address}: ${fault}`));
    }
    expect(faults).toEqual([]);
  },
);

test('requires owners to set up two-factor themselves before requiring it for staff', async () => {
  const { page, complaints } = await browser.visit({ storageState: state });
  await page.goto(tabHref('staff'));
  await page.getByLabel('Require two-factor for staff').check();
  await page.getByRole('button', { name: 'Save' }).click();
  // The site warns owners before they lock themselves out.
  await page.getByText('this would lock you out at once').waitFor();
  await page.getByLabel('Require it now, and set mine up on the next screen').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Two-Factor Required' }).waitFor();
  const asked = { name: 'second step required', address: '/admin', status: 403 };
  expect(await openAndExamine(page, asked)).toEqual([]);
  complaints.splice(0); // the browser's own message about the forbidden page

  await page.getByRole('link', { name: 'Set up an authenticator app' }).click();
  const main = page.locator('main');
  await main.getByLabel('Your password').fill('three-brown-cows-42');
  await main.getByRole('button', { name: 'Set it up' }).click();
  await main.getByText('Scan the code with your authenticator app').waitFor();
  const link = await main.getByRole('link', { name: 'open the app' }).getAttribute('href');
  await main.getByLabel('Code', { exact: true }).fill(codeNow(keyIn(link ?? '')));
  await main.getByRole('button', { name: 'Turn it on' }).click();
  await main.getByText('Keep these backup codes').waitFor();

  await page.goto('/admin');
  await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();
  expect(complaints).toEqual([]);
});
