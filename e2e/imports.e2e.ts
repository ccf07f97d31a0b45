import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { examine } from './examine-page.ts';
import { useOwnShop } from './current-shop.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession } from './open-staff-session.ts';

useOwnShop();
const browser = useBrowser();

async function staff(options: Parameters<typeof browser.visit>[0] = {}) {
  const visitor = await browser.visit({ reducedMotion: 'reduce', ...options });
  await openStaffSession(visitor.page.context(), 'imports');
  return visitor;
}

function feed(count: number, price: (row: number) => number = (row) => 20 + row): Buffer {
  const lines = Array.from({ length: count }, (_, row) =>
    [`j${row}`, `Journey kettle ${row}`, `https://shop.example/${row}`, price(row), 'Home'].join(
      ',',
    ),
  );
  return Buffer.from(`id,title,link,price,product type\n${lines.join('\n')}\n`);
}

async function choose(page: Page, file: Buffer): Promise<void> {
  await page
    .getByLabel('Feed file')
    .setInputFiles({ name: 'feed.csv', mimeType: 'text/csv', buffer: file });
  await page.locator('#upload').getByRole('button', { name: 'Continue' }).click();
}

/** Returns the latest number shown with this label. */
const figure = (page: Page, label: string) =>
  page.getByRole('listitem').filter({ hasText: label }).locator('strong').textContent();

describe('imports', () => {
  // Proves P42: imports (import-feed.server.ts)
  // Proves R31: the report as CSV (run-report-route.ts)
  test('uploads, previews, dry-runs and imports a feed, asks about missing deals, and rolls the import back', async () => {
    const { page, complaints } = await staff();
    await page.goto('/admin/imports');
    await page.getByRole('link', { name: 'New import' }).first().click();
    await page.locator('#upload').getByLabel('Merchant').fill('Kettles of journeys');
    await choose(
      page,
      Buffer.concat([feed(10), Buffer.from('bad,No price,https://x.example,ask,Home\n')]),
    );

    await page.getByRole('heading', { name: 'Match columns' }).waitFor();
    expect(await page.getByRole('cell', { name: 'Journey kettle 0' }).isVisible()).toBe(true);
    expect(await examine(page)).toEqual([]);
    await page.getByRole('button', { name: 'Preview import' }).press('Enter');
    await page.getByRole('button', { name: 'Run the import' }).waitFor();
    expect(await figure(page, 'New')).toBe('10');
    await page.getByText('price is not a number: ask').waitFor();
    expect(await examine(page)).toEqual([]);

    await page.getByRole('button', { name: 'Run the import' }).click();
    await page.getByRole('link', { name: 'Download report' }).waitFor();
    const firstRun = page.url();
    const report = await page.request.get(`${firstRun}/report`);
    expect(await report.text()).toContain('created,j0,,Journey kettle 0,,,20.00,USD,');

    await page.getByRole('link', { name: 'Source', exact: true }).click();
    await page.getByRole('heading', { name: 'Upload another file' }).waitFor();
    expect(await examine(page)).toEqual([]);
    await choose(
      page,
      feed(4, (row) => (row === 3 ? 1 : 30)),
    );
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByRole('heading', { name: '6 deals would end' }).waitFor();
    expect(
      await page.getByRole('row').filter({ hasText: 'Journey kettle 0' }).innerText(),
    ).toContain('+50%');
    await page.getByRole('button', { name: 'Run the import' }).click();
    await page.getByRole('heading', { name: 'End 6 deals?' }).waitFor();
    expect(await examine(page)).toEqual([]);
    await page.getByRole('button', { name: 'Keep deals' }).click();
    await page.locator('output').getByText('The deals are kept.').waitFor();

    await page.goto('/admin/imports/held');
    const held = page.getByRole('row').filter({ hasText: 'Journey kettle 3' });
    expect(await examine(page)).toEqual([]);
    await held.getByRole('button', { name: 'Reject' }).click();
    await page.locator('output').getByText('The old price stays.').waitFor();

    await page.goto(firstRun);
    await page.getByRole('button', { name: 'Roll back' }).click();
    const dialog = page.getByRole('dialog', { name: /Roll back import/ });
    await dialog.getByRole('button', { name: 'Roll back' }).click();
    await page.getByText(/[Rr]olled back: 0 restored, \d/).waitFor();
    await page.goto('/admin/imports');
    expect(await examine(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('imports a feed without JavaScript, on a page that reloads until the run ends', async () => {
    const { page } = await staff({ javaScriptEnabled: false });
    await page.goto('/admin/imports/new');
    await page.locator('#upload').getByLabel('Merchant').fill('Kettles without script');
    await choose(page, feed(5));
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByRole('button', { name: 'Run the import' }).click();
    await page.getByRole('link', { name: 'Download report' }).waitFor();
    expect(await figure(page, 'New')).toBe('5');
  });

  test('rejects a file that is not a feed and a private address, and shows why', async () => {
    const { page } = await staff();
    await page.goto('/admin/imports/new');
    await page.locator('#upload').getByLabel('Merchant').fill('Nobody');
    await choose(page, Buffer.from('<!DOCTYPE html><html></html>'));
    await page.getByText('This is a web page, not a product feed.').waitFor();
    await page.goto('/admin/imports/new');
    const card = page.locator('form').filter({ hasText: 'Fetch from an address' });
    await card.getByLabel('Feed address').fill('http://127.0.0.1/feed.xml');
    await card.getByLabel('Merchant').fill('Nobody');
    await card.getByRole('button').click();
    await page.getByText('127.0.0.1 is not an address of the public internet.').waitFor();
  });

  test.each([
    '/admin/imports',
    '/admin/imports/new',
    '/admin/imports/held',
    '/admin/imports/duplicates',
  ])('passes the audit of %s on a phone', async (address) => {
    const { page, complaints } = await staff({ viewport: { width: 390, height: 844 } });
    await page.goto(address);
    expect(await examine(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
