import type { BrowserContextOptions, Page } from 'playwright-core';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { currentShop, useOwnShop } from './current-shop.ts';
import { examine, openAndExamineIn } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { waitForToast as toast } from './wait-for-text.ts';

useOwnShop();
const browser = useBrowser();

async function staff(options: BrowserContextOptions = {}, name = 'desk') {
  const visitor = await browser.visit({ reducedMotion: 'reduce', ...options });
  await openStaffSession(visitor.page.context(), name);
  return visitor;
}

const heads = (page: Page) => page.locator('thead th').allInnerTexts();

/** The live deal with the lowest id. */
const firstDeal = () =>
  withShopDatabase((db) =>
    db
      .selectFrom('deals')
      .select(['id', 'title', 'deal_url'])
      .where('is_active', '=', true)
      .where('is_expired', '=', false)
      .orderBy('id')
      .executeTakeFirstOrThrow(),
  );

const clicksOf = (id: number) =>
  withShopDatabase(async (db) => {
    const row = db.selectFrom('recent_clicks').select('count').where('deal_id', '=', id);
    return (await row.executeTakeFirst())?.count ?? 0;
  });

describe('clicks on deals', () => {
  test("counts a visitor's two clicks and a bot's click as one everywhere", async () => {
    const deal = await firstDeal();
    const out = `${currentShop().origin}/out/${deal.id}`;
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const { page: visitor } = await browser.visit({ userAgent });
    // The URLs are requested directly, so that nothing leaves this server.
    const ways: Record<string, string>[] = [
      {},
      {},
      { purpose: 'prefetch' },
      { 'user-agent': 'a-crawler/1.0 (bot)' },
    ];
    for (const headers of ways) {
      const answer = await visitor.request.get(out, { headers, maxRedirects: 0 });
      expect([302, 503]).toContain(answer.status());
    }
    await visitor.request.head(out, { maxRedirects: 0 });
    await expect.poll(() => clicksOf(deal.id)).toBe(1);

    const { page, complaints } = await staff();
    await page.goto('/admin/deals');
    await page.getByRole('link', { name: 'Clicks, 30 days' }).click();
    await page.waitForURL('**/admin/deals?sort=-clicks');
    const first = page.locator('tbody tr').first();
    await first.getByRole('link', { name: deal.title }).waitFor();
    expect(await first.locator('[data-label="Clicks, 30 days"]').innerText()).toBe('1');
    await first.getByRole('link', { name: deal.title }).click();
    await page
      .getByRole('img', { name: /^To the store, in 30 days: 1 in the last 30 days/ })
      .waitFor();

    await page.goto('/admin/clicks');
    await page.getByRole('heading', { name: 'Most clicked deals, 30 days' }).waitFor();
    await page.getByRole('region', { name: 'Most clicked' }).getByText(deal.title).waitFor();
    await page.getByRole('link', { name: '7 days' }).click();
    await page.getByText('Clicks in 7 days').waitFor();
    await page.getByRole('region', { name: 'Stores' }).getByRole('link').first().click();
    await page.getByText('Remove filter Store:').waitFor();
    expect(await examine(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe('the customized list', () => {
  test('stores columns per user, and saves, shares, renames and deletes a view', async () => {
    const { page, complaints } = await staff({}, 'ada');
    await page.goto('/admin/deals?status=active&sort=price');
    const menu = page.getByRole('button', { name: /^View/ });
    await menu.click();
    await page.getByLabel('Merchant', { exact: true }).uncheck();
    await page.getByLabel('Discount', { exact: true }).check();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('columnheader', { name: 'Discount' }).waitFor();
    expect(await heads(page)).not.toContain('Merchant');

    await menu.click();
    await page.getByRole('button', { name: 'Save view…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save this view' });
    expect(await examine(page)).toEqual([]);
    await dialog.getByLabel('Name').fill('Cheap ones');
    await dialog.getByLabel('Share with all staff').check();
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await toast(page, 'Saved as “Cheap ones”.');
    await menu.click();
    const view = page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: /^Cheap/ });
    expect(await view.getAttribute('aria-current')).toBe('page');

    const { page: other } = await staff({}, 'bob');
    await other.goto('/admin/deals');
    expect(await heads(other)).toContain('Merchant');
    await other.getByRole('button', { name: 'View and columns' }).click();
    expect(await examine(other)).toEqual([]);
    await other.getByRole('link', { name: 'Cheap ones (ada)' }).click();
    await other.getByRole('columnheader', { name: 'Discount' }).waitFor();
    expect(await heads(other)).not.toContain('Merchant');
    await other.getByRole('button', { name: 'View: Cheap ones' }).click();
    expect(await other.getByRole('button', { name: 'Delete view' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Rename or share…' }).click();
    const rename = page.getByRole('dialog', { name: 'The view “Cheap ones”' });
    await rename.getByLabel('Name').fill('Cheapest');
    await rename.getByLabel('Share with all staff').uncheck();
    await rename.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'View: Cheapest' }).click();
    await page.getByRole('link', { name: 'Cheapest' }).waitFor();
    await other.reload();
    await other.getByRole('button', { name: 'View and columns' }).click();
    expect(await other.getByRole('link', { name: /^Cheap/ }).count()).toBe(0);

    await page.getByRole('button', { name: 'Delete view' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click();
    await toast(page, 'View deleted.');
    await page.getByRole('button', { name: 'View and columns' }).click();
    expect(await page.getByRole('link', { name: /^Cheap/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('approves and rejects many held prices at once', async () => {
    await withShopDatabase((db) =>
      sql`
        update deals set held_price = 150, held_at = now() - interval '1 minute'
         where id in (select id from deals order by id limit 4)`.execute(db),
    );
    const { page, complaints } = await staff();
    await page.goto('/admin/deals?show=held');
    for (const box of (await page.locator('[data-key-select]').all()).slice(0, 3))
      await box.check();
    await page.getByRole('button', { name: 'Approve prices' }).click();
    const question = page.getByRole('dialog', { name: 'Approve the held prices of 3 deals?' });
    expect(await examine(page)).toEqual([]);
    await question.getByRole('button', { name: 'Approve prices' }).click();
    await toast(page, 'Approved the price of 3 deals.');
    await page.goto('/admin/imports/held');
    await page.getByLabel('Select all prices on this page').check();
    await page.getByRole('button', { name: 'Reject prices' }).click();
    await page
      .getByRole('dialog', { name: 'Reject 1 price?' })
      .getByRole('button', { name: 'Reject prices' })
      .click();
    await page.getByText('No prices to review').waitFor();
    await page.goto('/admin/audit');
    await page.getByRole('row', { name: /approved the held prices of 3 deals/ }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('the deal list at every width', () => {
  test.each([500, 700, 1024, 1280, 1920])(
    'does not cover rows with the action bar at %d pixels',
    async (width) => {
      const { page } = await staff({ viewport: { width, height: 800 } });
      await page.goto('/admin/deals');
      await page.locator('[data-key-select]').first().check();
      await page.getByText('1 deal selected').waitFor();
      const bar = page.getByRole('form', { name: 'Selected deals' });
      const last = page.locator('tbody tr').last();
      // Scrolls to the end, as a user would.
      await page.keyboard.press('Escape');
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      const bottomOf = async () =>
        await last.boundingBox().then((box) => (box?.y ?? 0) + (box?.height ?? 0));
      expect(await bottomOf()).toBeLessThanOrEqual((await bar.boundingBox())?.y ?? 0);
      // The header must not cover rows focused by keyboard either.
      await page.evaluate(() => scrollTo(0, 0));
      await last.focus();
      expect(await bottomOf()).toBeLessThanOrEqual((await bar.boundingBox())?.y ?? 0);
    },
  );

  test.each(['light', 'dark'] as const)(
    'shows the first deal without scrolling on a phone, and the filters on request, %s',
    async (colorScheme) => {
      const viewport = { width: 390, height: 844 };
      const { page, complaints } = await staff({ viewport, colorScheme });
      await page.goto('/admin/deals');
      const first = await page.locator('tbody tr').first().boundingBox();
      expect((first?.y ?? 0) + (first?.height ?? 0)).toBeLessThanOrEqual(844);
      expect(await page.getByRole('combobox', { name: 'Stock Status' }).isVisible()).toBe(false);
      await page.getByRole('checkbox', { name: 'Filters' }).check();
      await page.getByRole('combobox', { name: 'Stock Status' }).selectOption('out');
      await page.waitForURL('**/admin/deals?stock=out');
      await page.getByText('Filters (1)').waitFor();
      expect(await examine(page)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  test.each([390, 1280, 1920])(
    'passes the audit on the clicks page at %d pixels',
    async (width) => {
      const { page, complaints } = await staff({ viewport: { width, height: 900 } });
      const looks = (['light', 'dark'] as const).map((colorScheme) => ({ colorScheme, width }));
      for (const address of ['/admin/clicks', '/admin/clicks?days=364']) {
        const kind = { name: address, address, status: 200 };
        expect([address, await openAndExamineIn(looks, page, kind)]).toEqual([address, [[], []]]);
      }
      expect(complaints).toEqual([]);
    },
  );
});
