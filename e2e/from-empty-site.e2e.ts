import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import { givePassword, staffPassword } from '#test/staff.ts';
import { emptyShop, useOwnShop } from './current-shop.ts';
import { examine } from './examine-page.ts';
import { fetchOnce } from './fetch-once.ts';
import { useBrowser, type Visitor } from './open-browser.ts';
import { withShopDatabase } from './open-staff-session.ts';
import { openHydrated } from './page-alive.ts';
import { waitForToast } from './wait-for-text.ts';

// Tests an owner's first use of the site: from the setup link printed by an empty site to an
// export. Each step depends on the earlier ones, so all steps after a failure fail too.

const shop = useOwnShop(emptyShop);
const browser = useBrowser();
const ownersPassword = 'three-brown-cows-42';
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';
let owner: Visitor;
let page: Page;

beforeAll(async () => {
  owner = await browser.visit({ reducedMotion: 'reduce' });
  ({ page } = owner);
});

const button = (name: string, place: Page | Locator = page) =>
  place.getByRole('button', { name, exact: true });
const field = (name: string, place: Page | Locator = page) =>
  place.getByLabel(name, { exact: true });
const toast = (text: string) => waitForToast(page, text);

/** Returns a form's dialog, which a script moved out of the page content. */
async function openDialog(name: string): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name });
  await page.locator('dialog:modal').waitFor();
  return dialog;
}

/**
 * Checks that the page in its current state passes the audit in two looks: a desktop in the light
 * theme and a phone in the dark theme.
 */
async function isSound(): Promise<void> {
  await page.locator('main:not([data-loading])').waitFor();
  expect(await examine(page)).toEqual([]);
  await wear('dark', 390);
  expect(await examine(page)).toEqual([]);
  await wear('light', 1280);
}

/**
 * Sets the theme as the theme switch does, because an open page does not follow the system theme.
 */
async function wear(theme: 'light' | 'dark', width: number): Promise<void> {
  await page.setViewportSize({ width, height: 844 });
  await page.evaluate(
    (isDark) => document.documentElement.classList.toggle('dark', isDark),
    theme === 'dark',
  );
}

/** Returns the response to a signed-out visitor. */
async function visitorSees(address: string): Promise<{ status: number; html: string }> {
  const answer = await fetchOnce(shop().origin + address);
  return { status: answer.status, html: await answer.text() };
}

test('creates the first administrator in five steps through the printed link', async () => {
  const link = shop().setupLink ?? '';
  await page.goto(link);
  await field('Full Name').fill('Olivia Owner');
  await field('Email').fill('owner@barn.example');
  await field('Password').fill('password');
  await button('Create account').click();
  await page.getByText('This password is too weak.').first().waitFor();
  expect(await field('Full Name').inputValue()).toBe('Olivia Owner');
  await field('Password').fill(ownersPassword);
  await button('Create account').click();

  await page.getByText('Step 2 of 5').waitFor();
  await isSound();
  await field('Site name').fill('Bargain Barn');
  await field('Currency').selectOption('EUR');
  await field('Contact email').fill('nobody');
  await button('Save and continue').click();
  await page.getByRole('alert').waitFor();
  await field('Contact email').fill('hello@barn.example');
  await field('Time zone').selectOption('Europe/Berlin');
  await button('Save and continue').click();

  for (const step of [3, 4]) {
    await page.getByText(`Step ${step} of 5`).waitFor();
    await isSound();
    await page.getByRole('link', { name: 'Skip', exact: true }).click();
  }

  await page.getByText('Step 5 of 5').waitFor();
  await isSound();
  await page.getByRole('radio', { name: /^Start empty/ }).check();
  await button('Finish').click();
  await page.getByRole('heading', { name: 'Getting started: 0 of 5 done' }).waitFor();
  await isSound();
  expect((await visitorSees('/')).html).toContain('Bargain Barn');
});

test('shows errors in the category form, then creates a category with its page', async () => {
  await page.getByRole('link', { name: 'Categories', exact: true }).click();
  await page.getByText('Visitors browse deals by category. Add the first one.').waitFor();
  await page.getByRole('link', { name: 'Add Category' }).first().click();
  const form = await openDialog('Create New Category');
  await button('Create Category', form).click();
  await form.getByRole('alert').getByText('Name: Name is required').waitFor();
  await form.getByRole('alert').getByText('Slug: Slug is required').waitFor();
  await isSound();
  await field('Name', form).fill('Küche & Herd');
  expect(await field('Slug', form).inputValue()).toBe('kuche-herd');
  await field('Slug', form).fill('Küche');
  await button('Create Category', form).click();
  await form
    .getByRole('alert')
    .getByText('Slug must contain only lowercase letters, numbers, and hyphens')
    .waitFor();
  await field('Slug', form).fill('kueche');
  await field('Icon', form).selectOption('home');
  await button('Create Category', form).click();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Küche & Herd', level: 2 }).waitFor();
  await isSound();
  expect((await visitorSees('/categories/kueche')).status).toBe(200);
});

test('shows errors in the merchant form, then creates a merchant with its page', async () => {
  await page.getByRole('link', { name: 'Merchants', exact: true }).click();
  await page.getByRole('link', { name: 'Add Merchant' }).first().click();
  const form = await openDialog('Create New Merchant');
  await field('Name', form).fill('Kupferkessel');
  await field('Website URL', form).fill('kupferkessel');
  await button('Create Merchant', form).click();
  await form.getByRole('alert').getByText('Must be a valid URL').waitFor();
  expect(await field('Name', form).inputValue()).toBe('Kupferkessel');
  await isSound();
  await field('Website URL', form).fill('https://kupferkessel.example');
  await field('Featured Merchant', form).check();
  await button('Create Merchant', form).click();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /Kupferkessel.*Featured/ }).waitFor();
  await isSound();
  expect((await visitorSees('/merchants/kupferkessel')).status).toBe(200);
});

test('rejects an invalid deal, then shows the corrected one to visitors at its price', async () => {
  await page.getByRole('link', { name: 'Deals', exact: true }).click();
  await page.getByRole('link', { name: 'Create First Deal' }).click();
  const form = await openDialog('Create New Deal');
  await button('Create Deal', form).click();
  for (const words of ['Title is required', 'Merchant is required', 'Category is required']) {
    await form.getByRole('alert').getByText(words).waitFor();
  }
  await field('Title', form).fill('=Kessel, 2 „Liter“');
  await field('Merchant', form).fill('Kupferkessel');
  await field('Category', form).selectOption({ label: 'Küche & Herd' });
  await field('Sale Price', form).fill('0');
  await field('Deal URL', form).fill('javascript:alert(1)');
  await button('Create Deal', form).click();
  await form.getByRole('alert').getByText('Must be a price greater than 0').waitFor();
  await form.getByRole('alert').getByText('Must be a valid URL').waitFor();
  await isSound();
  await field('Sale Price', form).fill('19.99');
  await field('Original Price', form).fill('39,98 €');
  await field('Deal URL', form).fill('https://kupferkessel.example/kessel');
  await button('Create Deal', form).click();
  await toast('Deal created successfully!');
  await page.getByRole('row', { name: /Kessel, 2/ }).waitFor();
  await isSound();
  const { status, html } = await visitorSees('/deals/kessel-2-liter');
  expect(status).toBe(200);
  expect(html).toContain('19.99');
});

test('previews, imports and rolls back a feed, whose deals appear and disappear for visitors', async () => {
  const seenByVisitors = async () => (await visitorSees('/deals?search=Feed+kettle')).html;
  await page.getByRole('link', { name: 'Imports', exact: true }).click();
  await page.getByText('No sources yet').waitFor();
  await isSound();
  await page.getByRole('link', { name: 'New import' }).first().click();
  await page.locator('#upload').getByLabel('Merchant').fill('Kupferkessel');
  const rows = Array.from(
    { length: 8 },
    (_, n) => `f${n},Feed kettle ${n},https://kupferkessel.example/${n},${20 + n}.50,Kettles`,
  );
  const feed = ['id,title,link,price,product type', ...rows, 'f9,No price,https://x.example,-,K'];
  await field('Feed file').setInputFiles({
    name: 'feed.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`${feed.join('\n')}\n`),
  });
  await button('Continue', page.locator('#upload')).click();
  await page.getByRole('heading', { name: 'Match columns' }).waitFor();
  await isSound();
  await button('Preview import').click();
  await button('Run the import').waitFor();
  await page.getByText('no price').first().waitFor();
  await isSound();
  expect(await seenByVisitors()).not.toContain('Feed kettle 0');

  await button('Run the import').click();
  await page.getByRole('link', { name: 'Download report' }).waitFor();
  await isSound();
  expect(await seenByVisitors()).toContain('Feed kettle 0');

  await button('Roll back').click();
  const question = page.getByRole('dialog', { name: /^Roll back import/ });
  await button('Roll back', question).click();
  await page.getByText('Rolled back: 0 restored, 8 new ones removed').waitFor();
  await isSound();
  expect(await seenByVisitors()).not.toContain('Feed kettle 0');
  expect((await visitorSees('/deals/kessel-2-liter')).status).toBe(200);
});

test('publishes a blog post that visitors can read', async () => {
  await page.getByRole('link', { name: 'Blog', exact: true }).click();
  await page.getByRole('link', { name: 'Create First Post' }).click();
  await field('Title').fill('How to choose a kettle');
  await field('Excerpt').fill('Copper or steel?');
  await page.getByRole('tab', { name: 'Source' }).click();
  await page
    .getByRole('textbox', { name: 'Content' })
    .fill('<p>Take the <strong>red</strong> one.</p><script>alert(1)</script>');
  await page.getByRole('checkbox', { name: 'Published' }).check();
  await button('Save').click();
  await page.getByRole('alert').waitFor();
  await isSound();
  const picture = 'https://pictures.example/kettle.svg';
  await page.route(picture, (route) => route.fulfill({ contentType: 'image/svg+xml', body: svg }));
  await field('Featured Image URL').fill(picture);
  await button('Save').click();
  await toast('Blog post created successfully!');
  await page.getByRole('row', { name: /How to choose a kettle/ }).waitFor();
  await isSound();
  const { status, html } = await visitorSees('/blog/how-to-choose-a-kettle');
  expect(status).toBe(200);
  expect(html).toContain('Take the <strong>red</strong> one.');
  expect(html).not.toContain('alert(1)');
});

test('R02: makes a user an admin who cannot promote anyone', async () => {
  await withShopDatabase(async (db) => {
    for (const [id, name] of [
      ['clara', 'Clara Clerk'],
      ['vic', 'Vic Visitor'],
    ] as const) {
      await insertUser(db, { id, email: `${id}@barn.example`, full_name: name });
      await givePassword({ db }, id);
    }
  });
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('link', { name: 'Clara Clerk' }).click();
  const form = await openDialog('Clara Clerk');
  await field('Role', form).selectOption('admin');
  await field('Your password', form).fill('not mine');
  await button('Change role', form).click();
  await form.getByRole('alert').getByText('That password is incorrect').waitFor();
  await isSound();
  await field('Your password', form).fill(ownersPassword);
  await button('Change role', form).click();
  await toast('User role updated successfully!');

  const clerk = await browser.visit();
  await openHydrated(clerk.page, '/sign-in?returnTo=/admin/users');
  const main = clerk.page.locator('main');
  await main.getByLabel('Email').fill('clara@barn.example');
  await main.getByLabel('Password', { exact: true }).fill(staffPassword);
  await main.getByText('Verified', { exact: true }).waitFor();
  await main.getByRole('button', { name: 'Sign In', exact: true }).click();
  await clerk.page.getByText('Only a super admin can change roles').waitFor();
  await clerk.page.getByRole('link', { name: 'Vic Visitor' }).click();
  const facts = clerk.page.getByRole('dialog', { name: 'Vic Visitor' });
  await facts.waitFor();
  expect(await facts.getByLabel('Role', { exact: true }).count()).toBe(0);
  // The form is posted directly, without opening the page.
  const refused = await clerk.page.evaluate(async () => {
    const body = new URLSearchParams({ role: 'admin', password: 'walking the hills' });
    const answer = await fetch('/admin/users/vic', { method: 'POST', body });
    return answer.status;
  });
  expect(refused).toBe(403);
  const roles = await withShopDatabase((db) =>
    db.selectFrom('users').select(['id', 'role']).where('id', 'in', ['clara', 'vic']).execute(),
  );
  expect(roles.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([
    { id: 'clara', role: 'admin' },
    { id: 'vic', role: 'user' },
  ]);
  await clerk.page.context().close();
});

test('R31: exports a file whose formulas do not run in a spreadsheet', async () => {
  await page.goto('/admin/deals');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^deals-\d{4}-\d\d-\d\d\.csv$/);
  const file = await readFile(await download.path());
  expect([...file.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const rows = parse(file, { bom: true, columns: true }) as Record<string, string>[];
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    Title: "'=Kessel, 2 „Liter“",
    Category: 'Küche & Herd',
    'Sale Price': '19.99',
    'Discount Percent': '50',
    Status: 'Active',
  });
});

test('causes no unexpected browser errors from start to end', () => {
  // The browser logs each rejected form, which has status 422.
  expect(owner.complaints.filter((words) => !words.includes('422'))).toEqual([]);
});
