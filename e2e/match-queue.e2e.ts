import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { emptyShop, useOwnShop } from './current-shop.ts';
import { everyLook, openAndExamineIn } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { openHydrated } from './page-alive.ts';
import { waitForToast } from './wait-for-text.ts';

useOwnShop(emptyShop);
const browser = useBrowser();
const address = '/admin/imports/duplicates';
const pairCount = 30;

/** Adds pairs of deals from two stores that share a model number. */
async function addPairs(): Promise<void> {
  await withShopDatabase(async (db) => {
    const category_id = (await insertCategory(db, { name: 'Phones' })).id;
    const [one, other] = [
      await insertMerchant(db, { name: 'Phones of Oak' }),
      await insertMerchant(db, { name: 'Phones of Birch' }),
    ];
    for (let n = 0; n < pairCount; n++) {
      const title = `Lumo Nova LN${1000 + n * 7} phone`;
      const deal = { category_id, brand: 'Lumo', sale_price: 50_000 + n };
      await insertDeal(db, { ...deal, merchant_id: one.id, title: `${title} black` });
      await insertDeal(db, { ...deal, merchant_id: other.id, title: `${title}, dual SIM` });
    }
    await expect
      .poll(() => db.selectFrom('match_suggestions').select('deal_id').execute(), {
        timeout: 30_000,
      })
      .toHaveLength(pairCount);
  });
}

const decided = () =>
  withShopDatabase((db) =>
    db.selectFrom('match_decisions').select('verdict').orderBy('id').execute(),
  );

const focusedId = (page: Page) => page.evaluate(() => document.activeElement?.id ?? '');

test('clears a queue of 30 pairs by keyboard, undoes one, and works without JavaScript', async () => {
  await addPairs();
  const plain = await browser.visit({ javaScriptEnabled: false });
  await openStaffSession(plain.page.context(), 'queue');
  await plain.page.goto(address);
  await plain.page
    .getByRole('button', { name: /^Different/ })
    .first()
    .click();
  await plain.page.getByText('They now count as two products.').waitFor();
  await plain.page.getByRole('button', { name: /^Undo/ }).click();
  await plain.page.getByText('The decision was undone.').waitFor();

  const { page, complaints } = await browser.visit({ reducedMotion: 'reduce' });
  await openStaffSession(page.context(), 'queue');
  const looks = { name: 'match-queue', address, status: 200 };
  expect((await openAndExamineIn(everyLook, page, looks)).flat()).toEqual([]);
  await openHydrated(page, address);
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await page.getByText('30 pairs').waitFor();
  await page.keyboard.press('j');
  const second = await focusedId(page);
  expect(second).toMatch(/^pair-\d+-\d+$/);
  await page.keyboard.press('ArrowUp');
  const first = await focusedId(page);
  expect(first).not.toBe(second);

  await page.keyboard.press('d');
  await expect.poll(() => focusedId(page), { timeout: 30_000 }).toBe(second);
  await page.getByText('29 pairs').waitFor();
  await page.keyboard.press('u');
  await waitForToast(page, 'The decision was undone.');
  await expect.poll(() => focusedId(page), { timeout: 30_000 }).toBe(first);
  await page.getByText('30 pairs').waitFor();

  const keys = ['s', 'd', 'v', 'h'];
  for (let n = 0; n < pairCount; n++) {
    const left = pairCount - n - 1;
    await page.keyboard.press(keys[n % keys.length] ?? 's');
    const message = left === 0 ? 'No duplicates' : left === 1 ? '1 pair' : `${left} pairs`;
    await page.getByText(message, { exact: true }).waitFor();
  }
  const counts = async () => {
    const verdicts = Object.groupBy(await decided(), ({ verdict }) => verdict);
    return Object.fromEntries(Object.entries(verdicts).map(([one, all]) => [one, all?.length]));
  };
  // The queue moves on before the response arrives.
  const expected = { same: 8, different: 8, variant: 7, hide: 7 };
  await expect.poll(counts, { timeout: 30_000 }).toEqual(expected);
  await page.keyboard.press('u');
  await page.getByText('1 pair', { exact: true }).waitFor();
  await expect.poll(decided, { timeout: 30_000 }).toHaveLength(pairCount - 1);
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  expect(complaints).toEqual([]);
});
