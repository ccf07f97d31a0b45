import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPictureStore } from '#test/picture-store.ts';
import { currentShop, useOwnShop } from './current-shop.ts';
import { examine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';

useOwnShop();
const browser = useBrowser({ showsPictures: true });

// A store with camera-sized pictures. The test answers the browser's requests for them.
const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60"/>';
let original: Buffer;
let store: Awaited<ReturnType<typeof startPictureStore>>;
beforeAll(async () => {
  original = await photo();
  store = await startPictureStore(async (path) => (path.startsWith('/photo') ? original : drawing));
});
afterAll(() => store.close());

/** twelve megapixels of soft shapes */
async function photo(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 70 } as const;
  const shapes = { width: 80, height: 60, channels: 3 as const, background: '#888', noise };
  const small = await sharp({ create: shapes }).png().toBuffer();
  return sharp(small).resize(4000, 3000).jpeg({ quality: 95 }).toBuffer();
}

/** Records the browser's requests to the store. */
async function watchStore(page: Page): Promise<string[]> {
  const asked: string[] = [];
  await page.route(`${store.origin}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    asked.push(pathname);
    return pathname.startsWith('/photo')
      ? route.fulfill({ body: original, contentType: 'image/jpeg' })
      : route.fulfill({ status: 404 });
  });
  return asked;
}

/** Feeds must not name a private host, so the host of the pictures changes after the import. */
const named = 'https://pictures.example';
const feed = () =>
  `id,title,link,price,sale_price,image_link\n${['photo-1.jpg', 'photo-2.jpg', 'drawing.svg']
    .map((file, at) => `${at},Camera ${at},https://lenses.example/${at},90,60,${named}/${file}`)
    .join('\n')}\n`;

async function importFeed(page: Page): Promise<void> {
  await page.goto('/admin/imports/new');
  const upload = page.locator('#upload');
  await upload.getByLabel('Merchant').fill('Lenses of journeys');
  const buffer = Buffer.from(feed());
  await page.getByLabel('Feed file').setInputFiles({ name: 'f.csv', mimeType: 'text/csv', buffer });
  await upload.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Preview import' }).click();
  await page.getByRole('button', { name: 'Run the import' }).click();
  await page.getByRole('link', { name: 'Download report' }).waitFor();
  await withShopDatabase((db) =>
    sql`update deals set image_url = replace(image_url, ${named}, ${store.origin})
         where image_url like ${`${named}/%`}`.execute(db),
  );
}

const list = '/merchants/lenses-of-journeys';
const shownIn = (page: Page) =>
  page
    .locator('article img')
    .evaluateAll((images) =>
      images.map((image) => (image instanceof HTMLImageElement ? image.currentSrc : '')).toSorted(),
    );
const allLoaded = (page: Page) =>
  page.waitForFunction(() => [...document.images].every((image) => image.complete));

describe('a store’s pictures', () => {
  test('shows a store’s pictures from its server at first, then small copies, and placeholders for invalid files', async () => {
    const staff = await browser.visit({ reducedMotion: 'reduce' });
    await openStaffSession(staff.page.context(), 'pictures');
    await importFeed(staff.page);
    const asked = await watchStore(staff.page);
    await staff.page.goto(list);
    await allLoaded(staff.page);
    expect([...new Set(asked)].toSorted()).toEqual([
      '/drawing.svg',
      '/photo-1.jpg',
      '/photo-2.jpg',
    ]);

    await withShopDatabase((db) => store.copy(db, currentShop().folder, 3));

    const { page, complaints } = await browser.visit({ viewport: { width: 1280, height: 900 } });
    const askedNow = await watchStore(page);
    const sizes: number[] = [];
    page.on('response', async (response) => {
      if (!response.url().includes('/media/pictures-')) return;
      expect(await response.headerValue('cache-control')).toContain('immutable');
      sizes.push(Number(await response.headerValue('content-length')));
    });
    await page.goto(list);
    await allLoaded(page);
    expect(await shownIn(page)).toEqual([
      expect.stringMatching(/\/media\/pictures-\d+\/\w+-\w+-320\.avif$/),
      expect.stringMatching(/\/media\/pictures-\d+\/\w+-\w+-320\.avif$/),
    ]);
    expect(askedNow).toEqual([]);
    expect(sizes).toHaveLength(2);
    expect(original.length).toBeGreaterThan(1_000_000);
    expect(Math.max(...sizes)).toBeLessThan(20_000);
    expect(
      await page.locator('article').filter({ hasText: 'Camera 2' }).locator('img').count(),
    ).toBe(0);
    expect(await examine(page)).toEqual([]);

    await page.getByRole('link', { name: 'Camera 0' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Camera 0' }).waitFor();
    const hero = page.getByRole('img', { name: 'Camera 0' });
    expect(await hero.evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(
      /-640\.avif$/,
    );
    expect(await examine(page)).toEqual([]);
    expect(askedNow).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('does not copy pictures from a store that does not allow it', async () => {
    const { page, complaints } = await browser.visit({ reducedMotion: 'reduce' });
    await openStaffSession(page.context(), 'pictures');
    await page.goto('/admin/merchants?search=Lenses');
    await page.getByRole('link', { name: 'Lenses of journeys' }).first().click();
    const box = page.getByLabel('Serve its pictures from this site');
    await box.waitFor();
    expect(await box.isChecked()).toBe(true);
    await box.uncheck();
    expect(await examine(page)).toEqual([]);
    await page.getByRole('button', { name: 'Update Merchant' }).click();
    await box.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);

    const visitor = await browser.visit();
    const asked = await watchStore(visitor.page);
    await visitor.page.goto(list);
    await allLoaded(visitor.page);
    expect(asked).toContain('/photo-1.jpg');
    expect((await shownIn(visitor.page)).join()).not.toContain('/media/pictures-');
    await visitor.page.goto('/privacy');
    await visitor.page
      .getByText('One that we have no copy of comes from the store’s own server')
      .waitFor();
  });
});
