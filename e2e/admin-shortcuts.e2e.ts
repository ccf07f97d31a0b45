import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { withShopDatabase } from './open-staff-session.ts';
import { adminShop } from './admin-shop.ts';
import { openHydrated as open, reloadHydrated } from './page-alive.ts';

// Tests selections, keys, unsaved changes and repeated clicks in the admin.

const office = adminShop('hands');
const { staff } = office;
const box = (page: Page, title: string) =>
  page.getByRole('checkbox', { name: `Select ${title}`, exact: true });
const focusedRow = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.closest('[data-row]')?.querySelector('th')?.textContent ?? null,
  );

describe('a selection', () => {
  test('extends a selection by range, by page and to all matches, and shows its count', async () => {
    const page = await staff();
    await open(page, '/admin/deals?q=kettle');
    const count = (words: string) => page.getByText(words, { exact: true }).waitFor();
    const whole = page.getByRole('checkbox', { name: 'Select all deals on this page' });
    await box(page, 'Kettle 59').check();
    await count('1 deal selected');
    expect(await whole.evaluate((element) => (element as HTMLInputElement).indeterminate)).toBe(
      true,
    );
    await box(page, 'Kettle 55').click({ modifiers: ['Shift'] });
    await count('5 deals selected');
    await box(page, 'Kettle 57').uncheck();
    await count('4 deals selected');
    await whole.check();
    await count('50 deals selected');
    await page.getByRole('button', { name: 'Select all 60 matching' }).click();
    await count('60 deals selected');
    await page.getByRole('button', { name: 'Only the 50 deals of this page' }).click();
    await count('50 deals selected');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page
      .getByRole('button', { name: 'Feature deals', exact: true })
      .waitFor({ state: 'hidden' });
    expect(await box(page, 'Kettle 59').isChecked()).toBe(false);
    await page.context().close();
  });

  test('selects all matches in a list of cards, which has no header checkbox', async () => {
    const page = await staff();
    await page.setViewportSize({ width: 700, height: 900 });
    await open(page, '/admin/deals?q=kettle');
    await box(page, 'Kettle 59').check();
    await page.getByRole('button', { name: 'Select the whole page' }).click();
    await page.getByText('50 deals selected', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Select all 60 matching' }).click();
    await page.getByText('60 deals selected', { exact: true }).waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
    await box(page, 'Kettle 59').uncheck();
    await page.getByText('49 deals selected', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Select the whole page' }).isVisible()).toBe(
      false,
    );
    await page.context().close();
  });

  test('clears a selection when other rows appear, so that no action applies to hidden rows', async () => {
    const page = await staff();
    await open(page, '/admin/deals?q=kettle');
    await box(page, 'Kettle 59').check();
    await page.locator('a[rel=next]').click();
    await page.getByText('Showing 51–60 of 60 deals').waitFor();
    await page.getByText('1 deal selected').waitFor({ state: 'hidden' });
    await page.goBack();
    await page.getByText('Showing 1–50 of 60 deals').waitFor();
    expect(await box(page, 'Kettle 59').isChecked()).toBe(false);
    await page.context().close();
  });

  test('rejects an action on all matches if their number has changed', async () => {
    const page = await staff();
    await open(page, '/admin/deals?q=kettle');
    await page.getByRole('checkbox', { name: 'Select all deals on this page' }).check();
    await page.getByRole('button', { name: 'Select all 60 matching' }).click();
    await withShopDatabase((db) =>
      db
        .updateTable('deals')
        .set({ title: 'No longer one' })
        .where('title', '=', 'Kettle 0')
        .execute(),
    );
    await page.getByRole('button', { name: 'Feature deals', exact: true }).click();
    await page
      .locator('output')
      .getByText('Nothing was changed: 60 deals matched when you selected them, and 59 do now.')
      .waitFor();
    await page.context().close();
  });
});

describe('keys', () => {
  test('moves through the rows by keyboard, stops at both ends, and opens the focused row with Enter', async () => {
    const page = await staff();
    await open(page, '/admin/deals?q=kettle&page=2');
    await page.keyboard.press('k');
    const first = await focusedRow(page);
    expect(first).toContain('Kettle');
    await page.keyboard.press('k');
    expect(await focusedRow(page)).toBe(first);
    for (let n = 0; n < 15; n++) await page.keyboard.press('j');
    const last = await focusedRow(page);
    expect(last).not.toBe(first);
    await page.keyboard.press('j');
    expect(await focusedRow(page)).toBe(last);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Edit Deal' }).waitFor();
    await page.context().close();
  });

  test('treats keys as text while a user types, and ignores them while a confirmation is open', async () => {
    const page = await staff();
    await open(page, '/admin/deals?q=kettle');
    await page.keyboard.press('/');
    await page.keyboard.type('nxej?');
    expect(await page.getByRole('searchbox').inputValue()).toBe('nxej?');
    expect(page.url()).not.toContain('/new');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('kettle');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Control+n'); // The browser's own shortcut.
    expect(page.url()).not.toContain('/new');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('n');
    expect(page.url()).not.toContain('/new');
    await page.context().close();
  });

  test('turns shortcut keys off, remembers it, and turns them on again (WCAG 2.1.4)', async () => {
    const page = await staff();
    await open(page, '/admin/deals?q=kettle');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    const turn = async () => {
      await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
      await help.getByLabel('Use single keys as shortcuts').click();
      await help.getByRole('button', { name: 'Close' }).click();
    };
    await turn();
    await reloadHydrated(page);
    await page.keyboard.press('j');
    expect(await focusedRow(page)).toBeNull();
    await page.keyboard.press('?');
    expect(await help.isVisible()).toBe(false);
    await turn();
    await page.locator('h1').click();
    await page.keyboard.press('j');
    expect(await focusedRow(page)).toContain('Kettle');
    await page.context().close();
  });
});

describe('unsaved changes', () => {
  const edit = async () => {
    const page = await staff();
    await open(page, '/admin/categories');
    await page.getByRole('link', { name: 'Edit Kitchen' }).click();
    const form = page.getByRole('dialog', { name: 'Edit Category' });
    await form.getByLabel('Description', { exact: true }).fill('Changed');
    return { page, form, guard: page.getByRole('dialog', { name: 'Leave without saving?' }) };
  };

  test('asks about unsaved changes when the user goes back, and keeps them if the user stays', async () => {
    const { page, form, guard } = await edit();
    await page.goBack();
    await guard.getByRole('button', { name: 'Stay' }).click();
    await guard.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Description', { exact: true }).inputValue()).toBe('Changed');
    expect(page.url()).toContain('/edit');
    await page.context().close();
  });

  test('discards unsaved changes only when Leave is pressed, and saves nothing', async () => {
    const { page, form, guard } = await edit();
    await page.keyboard.press('Escape');
    await guard.getByRole('button', { name: 'Leave' }).click();
    await form.waitFor({ state: 'detached' });
    const { description } = await withShopDatabase((db) =>
      db
        .selectFrom('categories')
        .select('description')
        .where('id', '=', office.things.category)
        .executeTakeFirstOrThrow(),
    );
    expect(description).toBe('Pots and pans');
    await page.context().close();
  });

  test('makes the browser ask when a tab is closed, but only if there are unsaved changes', async () => {
    const { page } = await edit();
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.accept();

    const calm = await staff();
    await open(calm, `/admin/categories/${office.things.category}/edit`);
    await calm.keyboard.press('Escape');
    await calm.getByRole('dialog', { name: 'Edit Category' }).waitFor({ state: 'detached' });
    expect(await calm.getByRole('dialog', { name: 'Leave without saving?' }).count()).toBe(0);
    await calm.context().close();
  });
});

describe('a second click', () => {
  test('creates only one row when a save button is clicked twice', async () => {
    const page = await staff();
    await open(page, '/admin/deals/new');
    const form = page.getByRole('dialog', { name: 'Create New Deal' });
    await form.getByLabel('Title', { exact: true }).fill('Pressed twice');
    await form
      .getByLabel('Merchant', { exact: true })
      .fill('Donaudampfschifffahrtsgesellschaftskapitänsmützen & Sons');
    await form.getByLabel('Category', { exact: true }).selectOption({ label: 'Kitchen' });
    await form.getByLabel('Sale Price').fill('5');
    await form.getByLabel('Deal URL').fill('https://shop.example/twice');
    await form.getByRole('button', { name: 'Create Deal' }).dblclick();
    await page.locator('output').getByText('Deal created successfully!').waitFor();
    const made = await withShopDatabase((db) =>
      db.selectFrom('deals').select('id').where('title', '=', 'Pressed twice').execute(),
    );
    expect(made).toHaveLength(1);
    await page.context().close();
  });

  test('ignores a second click on a confirmation button', async () => {
    const page = await staff();
    await open(page, `/admin/messages/${office.things.message}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: /delete this message/ });
    await question.getByRole('button', { name: 'Delete' }).dblclick();
    await page.locator('output').getByText('Message deleted successfully!').waitFor();
    expect(await page.locator('output').getByText('Failed').count()).toBe(0);
    await page.context().close();
  });
});
