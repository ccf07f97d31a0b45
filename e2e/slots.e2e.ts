import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { useOwnShop } from './current-shop.ts';
import { examine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession } from './open-staff-session.ts';
import { waitForText as said } from './wait-for-text.ts';

useOwnShop();
const browser = useBrowser({ showsPictures: true });
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Reloads a page until it has this many ads, because caches are invalidated after the response. */
async function expectAds(page: Page, path: string, count: number) {
  const countAds = async () => {
    await page.goto(path);
    return page.getByRole('region', { name: 'Sponsored' }).count();
  };
  await expect.poll(countAds).toBe(count);
}

test('shows an ad on cached pages, counts it, and removes it', async () => {
  const { page, complaints } = await browser.visit({ reducedMotion: 'reduce' });
  await openStaffSession(page.context(), 'slots');
  const { page: visitor, complaints: ofVisitor } = await browser.visit({ userAgent });
  await expectAds(visitor, '/deals', 0);

  await page.goto('/admin/media');
  const banner = { create: { width: 1200, height: 200, channels: 3, background: '#2a6' } } as const;
  const buffer = await sharp(banner).png().toBuffer();
  const input = page.getByLabel('Upload pictures').and(page.locator('input'));
  await input.setInputFiles([{ name: 'banner.png', mimeType: 'image/png', buffer }]);
  await said(page, '1 picture uploaded.');

  await page.goto('/admin/slots');
  await said(page, 'No ads found');
  await page.getByRole('link', { name: 'New Ad' }).first().click();
  await page.getByLabel('Title', { exact: true }).fill('Read our newsletter');
  await page.getByLabel('Link', { exact: true }).fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Create Ad' }).click();
  await page.locator('[aria-invalid=true]').waitFor();
  await page.getByLabel('Link', { exact: true }).fill('/newsletter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Place', { exact: true }).selectOption('list');
  await page.getByRole('button', { name: 'Choose picture' }).click();
  await page.getByRole('button', { name: /banner/ }).click();
  expect(await examine(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create Ad' }).click();
  await said(page, 'Ad created.');
  expect(await examine(page)).toEqual([]);

  await expectAds(visitor, '/deals', 1);
  const ad = visitor.getByRole('region', { name: 'Sponsored' });
  const picture = ad.getByRole('img').or(ad.locator('picture img')).first();
  const height = () => picture.evaluate((image) => image.getBoundingClientRect().height);
  const reserved = await height();
  const seen = visitor.waitForResponse(/\/out\/slot\/\d+\/view/);
  await ad.scrollIntoViewIfNeeded();
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
  expect(await height()).toBeCloseTo(reserved, 0);
  expect((await seen).status()).toBe(200);
  expect(await examine(visitor)).toEqual([]);
  await ad.getByRole('link').click();
  await visitor.waitForURL('**/newsletter');

  await expect
    .poll(async () => {
      await page.goto('/admin/slots');
      return page.getByRole('row', { name: /Read our newsletter/ }).innerText();
    })
    .toMatch(/\b1\s+1\b/);
  await page.getByRole('link', { name: 'Read our newsletter' }).first().click();
  await page.getByLabel('On', { exact: true }).uncheck();
  await page.getByRole('button', { name: 'Update Ad' }).click();
  await said(page, 'Ad updated.');
  await expectAds(visitor, '/deals', 0);
  // Chromium logs the status of the rejected form.
  expect(complaints.filter((line) => !line.includes('status of 422'))).toEqual([]);
  expect(ofVisitor).toEqual([]);
});
