import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FileServerStandIn, makeKeys, startSftp } from '#test/file-servers.ts';
import { makeZip } from '#server/extension/make-zip.ts';
import { useOwnShop } from './current-shop.ts';
import { examine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession } from './open-staff-session.ts';

useOwnShop(() => ({ FEED_PRIVATE_HOSTS: '127.0.0.1' }));
const browser = useBrowser();

const csv = (ids: string[]) =>
  Buffer.from(
    [
      'id,title,link,price,sale price',
      ...ids.map((id) => `${id},Journey lamp ${id},https://shop.example/${id},30,20`),
    ].join('\n'),
  );
const openFeeds: Record<string, string> = {
  '/coupons.csv': [
    'store,code,title,terms,start_date,end_date',
    'Lamps of journeys,BRIGHT15,15% off all lamps,New customers only,2026-01-01,2099-12-31',
    'Chairs of journeys,SIT5,5% off chairs,,,2099-12-31',
    'Chairs of journeys,,A sale without a code,,,2099-12-31',
  ].join('\n'),
  '/supplement.csv': 'id,sale price\na,15\nnobody,1\n',
};
let sftp: FileServerStandIn;
let shop: Server;
beforeAll(async () => {
  const archive = makeZip([
    { name: 'lamps-2.csv', content: csv(['c']) },
    { name: 'lamps-1.csv', content: csv(['a', 'b']) },
  ]);
  const files = new Map([['/out/lamps.zip', archive]]);
  sftp = await startSftp({ user: 'lamps', password: 'bright light', files }, makeKeys().private);
  shop = createServer((request, response) => {
    const open = openFeeds[request.url ?? ''];
    if (open) return void response.end(open);
    const isIn = request.headers.authorization === 'Bearer token-of-chairs';
    const products = [
      { id: 'j1', title: 'Journey chair', link: 'https://chairs.example/1', price: '45.00' },
    ];
    response.writeHead(isIn ? 200 : 401).end(isIn ? JSON.stringify({ products }) : '');
  });
  await new Promise<void>((resolve) => {
    shop.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(async () => {
  await sftp.close();
  shop.close();
});

async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  const form = page.locator('form').filter({ hasText: 'Fetch from an address' });
  const signIn = form.locator('details');
  if (!(await signIn.evaluate((details: HTMLDetailsElement) => details.open))) {
    await form.getByText('The feed needs a sign-in').click();
  }
  for (const [label, value] of Object.entries(fields)) {
    await form.getByLabel(label, { exact: true }).fill(value);
  }
  await form.getByRole('button', { name: 'Continue' }).click();
}

async function previewAndRun(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Preview import' }).click();
  await page.getByRole('heading', { name: 'How the first deals will look' }).waitFor();
  expect(await examine(page)).toEqual([]);
  await page.getByRole('button', { name: 'Run the import' }).click();
  await page.getByRole('link', { name: 'Download report' }).waitFor();
}

describe('a feed on a server that requires a sign-in', () => {
  test('imports a ZIP by SFTP, JSON with a token, coupons and a supplemental feed', async () => {
    const { page } = await browser.visit({ reducedMotion: 'reduce' });
    await openStaffSession(page.context(), 'imports');
    await page.goto('/admin/imports/new');
    const lamps = {
      'Feed address': `sftp://127.0.0.1:${sftp.port}/out/lamps.zip`,
      Merchant: 'Lamps of journeys',
      'User name': 'lamps',
    };
    await fill(page, { ...lamps, Password: 'wrong' });
    await page.getByText('127.0.0.1 refused the user name, password or key.').waitFor();
    await fill(page, { Password: 'bright light' });
    await page.getByRole('heading', { name: 'Match columns' }).waitFor();
    await previewAndRun(page);
    await page.getByRole('link', { name: 'Source', exact: true }).click();
    await page.getByText('A password is stored.').waitFor();
    expect(await page.content()).not.toContain('bright light');
    expect(await examine(page)).toEqual([]);
    await page.goto('/merchants/lamps-of-journeys');
    expect(await page.getByRole('article').count()).toBe(3);

    await page.goto('/admin/imports/new');
    const { port } = shop.address() as AddressInfo;
    await fill(page, {
      'Feed address': `http://127.0.0.1:${port}/products.json`,
      Merchant: 'Chairs of journeys',
      'Bearer token': 'token-of-chairs',
    });
    await page.getByRole('heading', { name: 'Match columns' }).waitFor();
    await previewAndRun(page);
    await page.goto('/merchants/chairs-of-journeys');
    expect(await page.getByRole('article').first().innerText()).toContain('$45.00');

    await page.goto('/admin/imports/new');
    await fill(page, {
      'Feed address': `http://127.0.0.1:${port}/coupons.csv`,
      Merchant: 'Lamps of journeys',
    });
    await page.getByRole('button', { name: 'Run the import' }).waitFor();
    await page.getByText('1 row without a code, left out').waitFor();
    expect(await examine(page)).toEqual([]);
    await page.getByRole('button', { name: 'Run the import' }).click();
    await page.getByRole('link', { name: 'Download report' }).waitFor();
    await page.getByRole('link', { name: 'Source', exact: true }).click();
    await page.getByLabel('Schedule').selectOption('60');
    expect(await page.getByLabel('Contains').inputValue()).toBe('coupons');
    expect(await examine(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save source' }).click();
    await page.getByText('Source saved.').filter({ visible: true }).first().waitFor();
    await page.goto('/coupons');
    await page.locator('code', { hasText: 'BRIGHT15' }).waitFor();
    await page.locator('code', { hasText: 'SIT5' }).waitFor();
    await page.goto('/merchants/lamps-of-journeys');
    await page.locator('code', { hasText: 'BRIGHT15' }).waitFor();

    await page.goto('/admin/imports/new');
    await fill(page, {
      'Feed address': `http://127.0.0.1:${port}/supplement.csv`,
      Merchant: 'Lamps of journeys',
    });
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByText('no deal has this id').waitFor();
    await page.getByRole('button', { name: 'Run the import' }).click();
    await page.getByRole('link', { name: 'Download report' }).waitFor();
    await page.goto('/merchants/lamps-of-journeys');
    expect(await page.getByRole('article').count()).toBe(3);
    const lamp = page.getByRole('article').filter({ hasText: 'Journey lamp a' });
    expect(await lamp.innerText()).toContain('$15.00');
  });
});
