import { randomUUID } from 'node:crypto';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { NewDeal } from '#test/factories/a-deal.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { everyLook, examine, examineIn, type Variant, openAndExamineIn } from './examine-page.ts';
import { useOwnShop } from './current-shop.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { openHydrated } from './page-alive.ts';
import { waitForToast as toast } from './wait-for-text.ts';

useOwnShop();
const browser = useBrowser();

async function staff(options: BrowserContextOptions = {}) {
  const visitor = await browser.visit({ reducedMotion: 'reduce', ...options });
  await openStaffSession(visitor.page.context(), 'deals');
  return visitor;
}

/** Inserts inactive deals for an existing store and category. */
async function insertLamps(count: number, overrides: Partial<NewDeal>): Promise<number> {
  return withShopDatabase(async (db) => {
    const owner = db.selectFrom('deals').select(['category_id', 'merchant_id']).limit(1);
    const owners = await owner.executeTakeFirstOrThrow();
    let last = 0;
    for (let n = 0; n < count; n++) {
      last = (
        await insertDeal(db, {
          ...owners,
          is_active: false,
          slug: `lamp-${randomUUID()}`,
          ...overrides,
        })
      ).id;
    }
    return last;
  });
}

const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });

const formOf = (page: Page, name: string) => page.getByRole('dialog', { name });

async function fillDeal(form: Locator, title: string): Promise<void> {
  await form.getByLabel('Title', { exact: true }).fill(title);
  await form.getByLabel('Merchant', { exact: true }).pressSequentially('hearthm');
  await expect
    .poll(() => form.locator('datalist option').allTextContents())
    .toEqual(['Hearthmoor Kitchen']);
  await form.getByLabel('Merchant', { exact: true }).fill('Hearthmoor Kitchen');
  await form.getByLabel('Category', { exact: true }).selectOption({ label: 'Tools' });
  await form.getByLabel('Sale Price').fill('74.99');
  await form.getByLabel('Original Price').fill('149.99');
  await form.getByLabel('Deal URL').fill('https://shop.example/item');
}

describe('deal management', () => {
  // Proves Back office 2: Deal form: sections, titles, buttons, error box (deal-form.tsx)
  // Proves Back office 4: Condition only when used (deal-form.module.css)
  // Proves Back office 4: Discount computed and read-only (discount-fields.tsx)
  // Proves Back office 4: Deal form: computed, read-only discount (discount-fields.tsx)
  test('creates, finds, edits, deletes and restores a deal', async () => {
    const { page, complaints } = await staff();
    await openHydrated(page, '/admin/deals');
    await page.getByRole('link', { name: 'Add Deal' }).click();
    const fresh = formOf(page, 'Create New Deal');
    await fresh.getByRole('button', { name: 'Create Deal' }).click();
    await fresh.getByRole('alert').getByText('Title: Title is required').waitFor();
    complaints.splice(0); // the browser reports the status 422

    await fillDeal(fresh, 'Journey lamp');
    await fresh.getByText('Address: /deals/journey-lamp').waitFor();
    expect(await fresh.getByLabel('Discount Percent').inputValue()).toBe('50%');
    expect(await fresh.getByLabel('Discount Amount').inputValue()).toBe('$75.00');
    expect(await fresh.getByLabel('Condition').isVisible()).toBe(false);
    await fresh.getByLabel('Product Status').selectOption('used');
    await fresh.getByLabel('Condition').selectOption('good');
    await fresh.getByLabel('Active', { exact: true }).uncheck();
    await fresh.getByRole('button', { name: 'Create Deal' }).click();
    await toast(page, 'Deal created successfully!');

    await page.getByRole('searchbox').fill('journey lamp');
    await page.getByRole('searchbox').press('Enter');
    await page.getByText('Showing 1 deal').waitFor();
    await page.getByRole('link', { name: 'Journey lamp' }).click();
    const form = formOf(page, 'Edit Deal');
    await form.getByLabel('Title', { exact: true }).fill('Journey lantern');
    await form.getByRole('link', { name: 'Cancel' }).click();
    const guard = page.getByRole('dialog', { name: 'Leave without saving?' });
    await guard.getByRole('button', { name: 'Stay' }).click();
    await form.getByRole('button', { name: 'Update Deal' }).click();
    await toast(page, 'Deal updated successfully!');
    expect(page.url()).toContain('q=journey');

    await page.goto('/admin/deals?q=journey+lantern');
    await page.getByRole('button', { name: 'Actions for Journey lantern' }).click();
    await page.locator(':popover-open').getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Are you sure you want to delete this deal?' });
    await dialog.getByRole('button', { name: 'Delete deal' }).click();
    await toast(page, 'Deal deleted successfully!');
    await page.getByText('No deals found').waitFor();
    await page.locator('output').getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Restored 1 deal.');
    await row(page, 'Journey lantern').waitFor();
    expect(complaints).toEqual([]);
  });

  // Proves R47: last-write protection (manage-deal.server.ts)
  test('R47: shows both versions when two users edit a deal simultaneously, and loses neither', async () => {
    const id = await insertLamps(1, { title: 'Contested lamp' });
    const [mine, theirs] = [await staff(), await staff()];
    for (const { page } of [mine, theirs]) await page.goto(`/admin/deals/${id}/edit`);
    await formOf(theirs.page, 'Edit Deal').getByLabel('Title', { exact: true }).fill('Their lamp');
    await formOf(theirs.page, 'Edit Deal').getByLabel('Coupon Code').fill('THEIRS');
    await formOf(theirs.page, 'Edit Deal').getByRole('button', { name: 'Update Deal' }).click();
    await toast(theirs.page, 'Deal updated successfully!');

    const { page } = mine;
    const form = formOf(page, 'Edit Deal');
    await form.getByLabel('Title', { exact: true }).fill('My lamp');
    await form.getByRole('button', { name: 'Update Deal' }).click();
    await form.getByRole('alert').getByText('Someone else saved this deal').waitFor();
    expect(await form.getByLabel('Title', { exact: true }).inputValue()).toBe('My lamp');
    await form.getByRole('row', { name: /Title Their lamp My lamp/ }).waitFor();
    await form.getByRole('button', { name: 'Use theirs: Coupon Code' }).click();
    expect(await form.getByRole('textbox', { name: 'Coupon Code' }).inputValue()).toBe('THEIRS');
    await form.getByRole('button', { name: 'Update Deal' }).click();
    await toast(page, 'Deal updated successfully!');
    const deal = await withShopDatabase((db) =>
      db
        .selectFrom('deals')
        .select(['title', 'coupon_code'])
        .where('id', '=', id)
        .executeTakeFirst(),
    );
    expect(deal).toEqual({ title: 'My lamp', coupon_code: 'THEIRS' });
  });

  test('changes more than 200 deals in a job that shows its progress, and restores them', async () => {
    const count = 230;
    await insertLamps(count, { title: 'Crowd lamp' });
    const { page, complaints } = await staff();
    await page.goto('/admin/deals?q=crowd+lamp');
    await page.getByLabel('Select all deals on this page').check();
    await page.getByRole('button', { name: 'Select all 230 matching' }).click();
    await page.getByText('230 deals selected').waitFor();
    await page.getByRole('button', { name: 'Delete deals' }).click();
    const dialog = page.getByRole('dialog', { name: 'Are you sure you want to delete 230 deals?' });
    await dialog.getByRole('button', { name: 'Delete deals' }).click();
    await page.getByRole('heading', { name: 'Delete 230 deals' }).waitFor();
    await page.getByText('Deleted 230 deals.').waitFor();
    expect(await examine(page)).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Restored 230 deals.').waitFor();
    await page.goto('/admin/deals?q=crowd+lamp');
    await page.getByText('Showing 1–50 of 230 deals').waitFor();
    expect(complaints).toEqual([]);
  });

  test('makes 300 deals 10% cheaper after a preview, and restores them', async () => {
    await insertLamps(300, { title: 'Dear lamp', sale_price: 8_099, original_price: null });
    const { page, complaints } = await staff();
    await page.goto('/admin/deals?q=dear+lamp');
    await page.getByLabel('Select all deals on this page').check();
    await page.getByRole('button', { name: 'Select all 300 matching' }).click();
    await page.getByRole('button', { name: 'Change prices…' }).click();
    await page.getByRole('heading', { name: 'Change the prices of 300 deals' }).waitFor();
    await page.getByLabel('Percent', { exact: true }).fill('-10 %');
    await page.getByLabel('Percent', { exact: true }).press('Enter');
    await page.getByText('after $72.89').first().waitFor();
    expect(await examine(page)).toEqual([]);
    await page.getByRole('button', { name: 'Change the price of 300 deals' }).click();
    await page.getByText('Changed the price of 300 deals.').waitFor();
    const prices = () =>
      withShopDatabase(async (db) => {
        const lamps = db.selectFrom('deals').select('sale_price').where('title', '=', 'Dear lamp');
        return [...new Set((await lamps.execute()).map(({ sale_price }) => sale_price))];
      });
    expect(await prices()).toEqual([7_289]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Restored 300 deals.').waitFor();
    expect(await prices()).toEqual([8_099]);
    await page.goto('/admin/audit?q=dear');
    await page
      .getByRole('row', {
        name: /changed the prices of 200 deals Dear lamp from \$80\.99 to \$72\.89/,
      })
      .waitFor();
    expect(await examine(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  // Proves Back office 2: Sidebar, drawer, Back to Site, Sign Out (admin-frame.tsx)
  // Proves Design: Keyboard (use-screen-keys.ts)
  test('searches, navigates, selects, opens and creates deals by keyboard alone', async () => {
    await insertLamps(1, { title: 'Keyed lamp' });
    const { page, complaints } = await staff();
    await page.goto('/admin/deals');
    await page.getByRole('heading', { name: 'Deal Management' }).waitFor();
    await expect
      .poll(async () => {
        await page.keyboard.press('/');
        return page.evaluate(() => document.activeElement?.getAttribute('name'));
      })
      .toBe('q');
    await page.keyboard.type('keyed lamp');
    await page.keyboard.press('Enter');
    await page.getByText('Showing 1 deal').waitFor();
    // The focus leaves the field, because shortcut keys would type letters there.
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('1 deal selected').waitFor();
    await page.keyboard.press('e');
    const form = formOf(page, 'Edit Deal');
    await form.waitFor();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    expect(page.url()).toContain('q=keyed');
    await page.getByText('Showing 1 deal').waitFor();
    await page.locator('h1').click();
    await page.keyboard.press('n');
    await formOf(page, 'Create New Deal').waitFor();
    expect(complaints).toEqual([]);
  });
});

interface CheckResult {
  what: string;
  faults: string[];
}

/**
 * The faults of every page by theme and width. Each page is opened once and audited in all looks.
 */
async function examinePages(): Promise<Map<string, CheckResult[]>> {
  const { page, complaints } = await staff();
  const id = await insertLamps(1, {
    title: 'Sound lamp',
    is_featured: true,
    held_price: 100,
    image_url: null,
  });
  const found = new Map<string, CheckResult[]>();
  const note = (what: string, faultsByLook: string[][]) => {
    for (const [at, look] of everyLook.entries()) {
      const results = found.get(nameOf(look)) ?? [];
      results.push({ what, faults: faultsByLook[at] ?? ['was not examined'] });
      found.set(nameOf(look), results);
    }
  };
  const addresses = [
    '/admin/deals',
    '/admin/deals?q=nothing+of+the+kind',
    '/admin/deals/new',
    `/admin/deals/${id}/edit`,
  ];
  for (const address of addresses) {
    const kind = { name: address, address, status: 200 };
    note(address, await openAndExamineIn(everyLook, page, kind));
  }
  await page.goto('/admin/deals/new');
  // A script moves the dialog and its buttons out of the page.
  await page.locator('dialog:modal').waitFor();
  await page.getByRole('button', { name: 'Create Deal' }).click();
  await page.getByRole('alert').getByText('Title is required').waitFor();
  await page.locator('main:not([data-loading])').waitFor();
  note('a form with an error', await examineIn(everyLook, page));
  const refused = complaints.filter((text) => !text.includes('422'));
  note(
    'the browser',
    everyLook.map(() => refused),
  );
  return found;
}

const nameOf = ({ colorScheme, width }: Variant) => `${colorScheme}, ${width}`;
let examined: ReturnType<typeof examinePages> | undefined;

describe.each(['light', 'dark'] as const)('the deal management pages, %s', (colorScheme) => {
  test.each([1280, 390])(
    'passes the audit on the deal management pages at %d pixels',
    async (width) => {
      examined ??= examinePages();
      const results = (await examined).get(nameOf({ colorScheme, width }));
      expect(results).toHaveLength(6);
      expect(results?.filter(({ faults }) => faults.length > 0)).toEqual([]);
    },
  );
});
