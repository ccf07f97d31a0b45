import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkDiscounts } from '#app/features/prices/check-discounts.server.ts';
import { insertCategory, insertMerchant } from '#test/factories/insert.ts';
import { plantDeal } from '#test/factories/plant-prices.ts';
import { emptyShop, useOwnShop } from './current-shop.ts';
import { everyLook, openAndExamineIn } from './examine-page.ts';
import { sentFaults } from './html-faults.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';

useOwnShop(emptyShop);
const browser = useBrowser();

beforeAll(() =>
  withShopDatabase(async (db) => {
    const category_id = (await insertCategory(db)).id;
    const store = async (name: string, slug: string) => ({
      category_id,
      merchant_id: (await insertMerchant(db, { name, slug })).id,
    });
    const full = await store('Full House', 'full-house');
    for (let n = 0; n < 170; n++) {
      const price = 5_000 + n * 10;
      const lines = [
        { daysAgo: 300, price },
        { daysAgo: 200, price: price - 500 },
        { daysAgo: 150, price },
        ...(n < 10 ? [{ daysAgo: 20, price: price + 2_000 }] : []),
        { daysAgo: 8, price: price - 1_500, struck: n < 10 ? price + 2_000 : price },
      ];
      await plantDeal(db, lines, { ...full, title: `Thing ${n}`, slug: `thing-${n}` });
    }
    const few = await store('Few Things', 'few-things');
    const cut = { daysAgo: 8, price: 700, struck: 1_000 };
    await plantDeal(db, [{ daysAgo: 100, price: 1_000 }, cut], { ...few, title: 'Only lamp' });
    await store('Quiet Corner', 'quiet-corner');
    await checkDiscounts({ db });
  }),
);

const check = (page: Page) => page.getByRole('region', { name: 'Discount check' });

describe('the discount check', () => {
  it('shows a percentage for many reductions and a count for few, each linked to its list, and nothing for none', async () => {
    const { page, complaints } = await browser.visit();
    await page.goto('/merchants/full-house');
    await page.getByRole('link', { name: '94% of 170 checked reductions matched our log' }).click();
    await page.waitForURL('**#discount-check');
    const figures = check(page);
    await figures.getByRole('link', { name: '94% matched our log within 5 points' }).waitFor();
    await figures.getByRole('link', { name: '10 were raised by 5% or more' }).click();
    await page.getByRole('heading', { name: 'Discount check of Full House' }).waitFor();
    const current = page.getByRole('link', { name: 'Raised before (10)' });
    expect(await current.getAttribute('aria-current')).toBe('page');
    const entry = page.getByRole('listitem').filter({ hasText: 'Thing 9' });
    await entry.getByText('Raised by 5% or more 12 days before.').waitFor();
    await page.getByRole('link', { name: 'Reduction 3', exact: true }).click();
    await page.waitForURL(/#deal-\d+-\d{4}-\d\d-\d\d$/);
    expect(await page.locator(':target').count()).toBe(1);
    await entry.getByRole('link', { name: 'Thing 9' }).click();
    await page.getByText('Raised by 5% or more 12 days before this reduction.').waitFor();
    await page.getByRole('link', { name: 'How we count' }).click();
    await page.waitForURL('**/how-we-rank#discount-check');

    await page.goto('/merchants/few-things');
    await check(page).getByRole('link', { name: '1 of 1 matched our log' }).waitFor();
    await page.goto('/merchants/quiet-corner');
    await check(page).getByText('Our log shows no reduction that Quiet Corner announced').waitFor();
    expect(complaints).toEqual([]);
  });

  it.each(['full-house', 'few-things', 'quiet-corner', 'full-house/discount-check?page=2'])(
    'passes the audit at %s, in both themes, on a desktop and on a phone',
    async (path) => {
      const { page } = await browser.visit();
      const kind = { name: path, address: `/merchants/${path}`, status: 200 };
      const found = await openAndExamineIn(everyLook, page, kind);
      expect(found.flat()).toEqual([]);
      expect(await sentFaults(page, kind.address)).toEqual({ status: 200, faults: [] });
    },
  );

  it('lets staff exclude feed errors and enter the store’s reply, and shows both to visitors immediately', async () => {
    const visitor = (await browser.visit()).page;
    const { page } = await browser.visit({ reducedMotion: 'reduce' });
    await openStaffSession(page.context(), 'judge');
    await page.goto('/admin/merchants?q=few');
    await page.getByRole('button', { name: 'Actions for Few Things' }).click();
    await page.locator(':popover-open').getByRole('link', { name: 'Discount check' }).click();
    await page.getByRole('heading', { name: 'Discount check of Few Things' }).waitFor();
    await page.getByRole('button', { name: 'Actions for Only lamp' }).click();
    const menu = page.locator(':popover-open');
    await menu.getByRole('button', { name: 'Leave out: wrong pack or size in the feed' }).click();
    await page.locator('output').getByText('The reduction is left out.').waitFor();
    await visitor.goto('/merchants/few-things');
    const leftOut = check(visitor).getByRole('link', { name: '1 left out as a feed error' });
    await expect
      .poll(async () => {
        await visitor.reload();
        return leftOut.count();
      })
      .toBe(1);
    await leftOut.click();
    await visitor.getByText('Wrong pack or size in the feed').waitFor();

    await page.locator('output').getByRole('button', { name: 'Undo' }).click();
    await page.locator('output').getByText('The reduction counts again.').waitFor();

    await page.getByRole('link', { name: 'Write its reply' }).click();
    const form = page.getByRole('dialog', { name: 'Edit Merchant' });
    await form.getByLabel('Reply to the discount check').fill('Our list price changed.');
    await form.getByRole('button', { name: 'Update Merchant' }).click();
    await page.locator('output').getByText('Merchant updated.').waitFor();
    await visitor.goto('/merchants/few-things');
    await expect
      .poll(async () => {
        await visitor.reload();
        return visitor.getByText('Our list price changed.').count();
      })
      .toBe(1);
    expect(await leftOut.count()).toBe(0);
  });
});
