import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useOwnShop } from './current-shop.ts';
import { examine, examineIn } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession } from './open-staff-session.ts';

useOwnShop();
const browser = useBrowser();

const fixture = (name: string) =>
  readFile(
    fileURLToPath(new URL(`../app/features/feeds/formats/fixtures/${name}`, import.meta.url)),
  );

async function staff(options: Parameters<typeof browser.visit>[0] = {}) {
  const visitor = await browser.visit({ reducedMotion: 'reduce', ...options });
  await openStaffSession(visitor.page.context(), 'imports');
  return visitor;
}

/** Uploads a file for a new merchant, and continues to the columns step. */
async function upload(page: Page, merchant: string, name: string, text: Buffer): Promise<void> {
  await page.goto('/admin/imports/new');
  await page.locator('#upload').getByLabel('Merchant').fill(merchant);
  await page.getByLabel('Feed file').setInputFiles({ name, mimeType: 'text/plain', buffer: text });
  await page.locator('#upload').getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Match columns' }).waitFor();
}

async function previewAndRun(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Preview import' }).click();
  await page.getByRole('button', { name: 'Run the import' }).click();
  await page.getByRole('link', { name: 'Download report' }).waitFor();
}

describe('feeds from unknown shops', () => {
  // Proves P42: a Shopify export and a YML file without a mapping (mapping-files.server.ts)
  test('imports a Shopify export, and shows its discounts on the cards', async () => {
    const { page, complaints } = await staff();
    await upload(
      page,
      'Mills of journeys',
      'products_export.csv',
      await fixture('shopify-csv.csv'),
    );
    await page.getByText('Read as Shopify product export (CSV), in utf-8.').waitFor();
    await page.getByLabel('Shop address').fill('mills.example');
    expect(await examine(page)).toEqual([]);
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByText('67% of rows have a sale price.').waitFor();
    expect(await examine(page)).toEqual([]);
    await page.getByRole('button', { name: 'Run the import' }).click();
    await page.getByRole('link', { name: 'Download report' }).waitFor();

    expect(complaints).toEqual([]);
    // The pictures of these shops do not exist.
    await page.goto('/merchants/mills-of-journeys');
    const card = page.getByRole('article').filter({ hasText: 'Oak stool' });
    expect(await card.first().innerText()).toMatch(/\$120\.50[\s\S]*\$150\.00/);
    expect(await card.first().innerText()).toContain('mills.example');
  });

  test('imports a YML file with a separate list of categories', async () => {
    const { page, complaints } = await staff();
    const yml = (await fixture('admitad-yml.xml')).toString();
    await upload(page, 'Runners of journeys', 'export.yml', Buffer.from(yml));
    await page.getByText('Read as Admitad (YML), in utf-8.').waitFor();
    await previewAndRun(page);
    expect(complaints).toEqual([]);
    await page.goto('/merchants/runners-of-journeys');
    const card = page.getByRole('article').filter({ hasText: 'Runner "X"' }).first();
    expect(await card.innerText()).toMatch(/\$89\.99[\s\S]*\$120\.00/);
    // The shop's own host, not the affiliate network's.
    expect(await card.innerText()).toContain('shop.example');
    expect(await card.innerText()).not.toContain('admitad');
  });

  test('downloads the column mapping of one source and uses it for another', async () => {
    const { page } = await staff();
    const odd = (price: number) =>
      Buffer.from(`ref;wo;wieviel;statt;was\n1;https://odd.example/1;${price};8;Cup\n`);
    await upload(page, 'Odd of journeys', 'odd.csv', odd(5));
    await page.getByLabel('Title').selectOption('was');
    await page.getByLabel('Link', { exact: true }).selectOption('wo');
    await page.getByLabel('Sale price', { exact: true }).selectOption('wieviel');
    await page.getByLabel('Regular price').selectOption('statt');
    await page.getByRole('button', { name: 'Save without preview' }).click();
    await page.locator('output').getByText('Columns saved.').waitFor();

    await upload(page, 'Odd twin of journeys', 'twin.csv', odd(6));
    await page.getByText('“Odd of journeys, uploads” has a feed with the same columns.').waitFor();
    await page.getByRole('button', { name: 'Use the same mapping' }).click();
    await page.locator('output').getByText('The feed is now read like').waitFor();
    expect(await page.getByLabel('Regular price').inputValue()).toBe('statt');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download mapping' }).click();
    const file = await (await download).path();

    await upload(page, 'Odd third of journeys', 'third.csv', odd(7));
    await page.getByLabel('Mapping file').setInputFiles(file);
    await page.getByRole('button', { name: 'Use this file' }).click();
    await page.getByText('Read with the file “Odd twin of journeys, uploads”.').waitFor();
    expect(await examine(page)).toEqual([]);
    await previewAndRun(page);
    await page.goto('/merchants/odd-third-of-journeys');
    expect(await page.getByRole('article').first().innerText()).toMatch(/\$7\.00[\s\S]*\$8\.00/);
  });

  test('passes the audit on the columns page on a phone, in both themes', async () => {
    const { page, complaints } = await staff({ viewport: { width: 390, height: 844 } });
    await upload(page, 'Phone', 'feed.xml', await fixture('tradetracker-xml.xml'));
    const looks = (['light', 'dark'] as const).map((colorScheme) => ({ colorScheme, width: 390 }));
    expect(await examineIn(looks, page)).toEqual([[], []]);
    expect(complaints).toEqual([]);
  });
});
