import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importFeed } from '#app/features/feeds/runs/import-feed.server.ts';
import { useOwnShop } from './current-shop.ts';
import { everyLook, openAndExamineIn } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { findProductPath, openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { openHydrated } from './page-alive.ts';
import { waitForText, waitForToast } from './wait-for-text.ts';

useOwnShop();
const browser = useBrowser();
const gtin = '4006381333931';
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'product-page-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function importOffers(merchant: string, lines: string[]): Promise<void> {
  const feed = path.join(folder, `${merchant}.txt`);
  await writeFile(feed, `${lines.join('\n')}\n`);
  const outcome = await withShopDatabase((db) => importFeed(db, { file: feed }, { merchant }));
  expect(outcome.state).toBe('done');
}

test('merges deals from two feeds into one product, which visitors compare and staff split again', async () => {
  await importOffers('Phones of Oak', [
    'id\ttitle\tbrand\tgtin\tlink\tprice\tavailability\tproduct_type\tshipping',
    `p1\tLumo Nova 15 256 GB black\tLumo\t${gtin}\thttps://oak.example/p1\t899.00 USD\tin stock\tPhones\tUS:::9.00 USD`,
  ]);
  await importOffers('Phones of Birch', [
    'Product ID;Product Name;Brand;EAN;Price;Currency;URL;In Stock;Root Category;Delivery cost',
    `b1;Lumo Nova 15 (256GB, Black), dual SIM;Lumo;${gtin};905.00;USD;https://birch.example/b1;true;Phones;0.00`,
  ]);
  const staff = await browser.visit({ reducedMotion: 'reduce' });
  await openStaffSession(staff.page.context(), 'products');
  await openHydrated(staff.page, '/admin/imports/duplicates');
  const isSuggested = async () => {
    await staff.page.reload();
    return (await staff.page.getByRole('button', { name: /^Same/ }).count()) > 0;
  };
  await expect.poll(isSuggested, { timeout: 30_000 }).toBe(true);
  await openHydrated(staff.page, '/admin/imports/duplicates');
  await staff.page.getByRole('button', { name: /^Same/ }).click();
  await waitForToast(staff.page, 'They are now offers of one product.');

  const address = await findProductPath(gtin);
  const { page, complaints } = await browser.visit();
  const found = await openAndExamineIn(everyLook, page, {
    name: 'product',
    address,
    status: 200,
  });
  expect(found.flat()).toEqual([]);
  await waitForText(page, /From \$905\.00 incl\. shipping at 2 stores/);
  await page.setViewportSize({ width: 390, height: 844 });
  const best = page.getByRole('link', { name: /^Get Deal at Phones of Birch/ });
  const place = await best.boundingBox();
  // The button is visible on a phone without scrolling.
  expect((place?.y ?? 844) + (place?.height ?? 0)).toBeLessThan(844);
  await page.getByRole('link', { name: /^Not the same product\? .* Phones of Birch$/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Not the same product?' });
  await dialog.getByText('Lumo Nova 15 (256GB, Black), dual SIM at Phones of Birch').waitFor();
  await dialog.getByRole('button', { name: 'Yes, it is another product' }).click();
  await dialog.getByText('Thank you for your report.').waitFor();
  await openHydrated(staff.page, '/admin/deals?show=misplaced');
  await waitForText(staff.page, /Reported as another product by 1/);
  // The dialog reloads the page, which an earlier click would interrupt.
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Phones of Oak', exact: true }).click();
  await page
    .getByRole('link', { name: 'Also at 1 other store, from $905.00 incl. shipping' })
    .click();
  await expect.poll(() => new URL(page.url()).pathname, { timeout: 30_000 }).toBe(address);
  expect(complaints).toEqual([]);

  const deal = await withShopDatabase((db) =>
    db.selectFrom('deals').select('id').where('external_id', '=', 'b1').executeTakeFirstOrThrow(),
  );
  await openHydrated(staff.page, `/admin/deals/${deal.id}/edit`);
  await staff.page.getByRole('button', { name: 'Not the same' }).click();
  await waitForToast(staff.page, 'Taken out of the product.');
  const isAlone = async () => {
    await page.reload();
    return (await page.getByText('at 1 store').count()) > 0;
  };
  await expect.poll(isAlone, { timeout: 30_000 }).toBe(true);
  await staff.page.getByRole('button', { name: 'Put it back' }).click();
  await waitForToast(staff.page, 'Undone.');
  expect(staff.complaints).toEqual([]);
});
