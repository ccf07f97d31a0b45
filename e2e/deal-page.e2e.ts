import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { holdRequests } from './hold-requests.ts';
import { useBrowser } from './open-browser.ts';

const browser = useBrowser({ showsPictures: true });

/** Opens the first live deal in a list of the demo shop. */
async function openDeal(page: Page, list = '/deals?sort=discount'): Promise<string> {
  await page.goto(list);
  const address = await page.locator('article h2 a, article h3 a').first().getAttribute('href');
  if (!address) throw new Error(`There is no deal on ${list}.`);
  await page.goto(address);
  await page
    .getByRole('link', { name: /^Get This Deal/ })
    .first()
    .waitFor();
  return address;
}

it('switches the price history between ranges, and keeps the scroll position', async () => {
  const { page, complaints } = await browser.visit();
  await openDeal(page);
  const ranges = page.getByRole('navigation', { name: 'Price history range' });
  await ranges.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  await ranges.getByRole('link', { name: '30 days' }).click();
  await page.waitForURL('**?days=30');
  await ranges.locator('[aria-current="true"]', { hasText: '30 days' }).waitFor();
  expect(await page.evaluate(() => scrollY)).toBe(before);

  await page.getByText('Show as table').click();
  await page.getByRole('columnheader', { name: 'Price' }).waitFor();
  expect(await page.getByRole('row').count()).toBeGreaterThan(1);

  // The table stays open, the focus stays in place, and going back once leaves the deal.
  const picture = page.getByRole('img', { name: 'Price history' }).first();
  const drawn = await picture.innerHTML();
  await ranges.getByRole('link', { name: 'All' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**?days=all');
  await expect.poll(() => picture.innerHTML()).not.toBe(drawn);
  expect(await page.getByRole('columnheader', { name: 'Price' }).isVisible()).toBe(true);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('All');
  expect(complaints).toEqual([]);
  await page.goBack();
  await page.waitForURL('**/deals?sort=discount');
});

it.each([['fast'], ['slow']])(
  'shows a placeholder if a deal’s picture fails to load (%s script)',
  async (speed) => {
    const { page } = await browser.visit();
    await page.goto('/deals?sort=discount');
    const address = await page.locator('article h2 a').first().getAttribute('href');
    const picture = (await page.locator('article img').first().getAttribute('src')) ?? '';
    await page.route(`**${picture}*`, (route) => route.abort());
    const release = speed === 'slow' ? await holdRequests(page, /entry\.client-[^/]*\.js$/) : null;
    await page.goto(address ?? '', { waitUntil: 'commit' });
    const shown = page.locator('main article img').first();
    await shown.evaluate(
      (image: HTMLImageElement) =>
        new Promise((done) => {
          if (image.complete) done(null);
          else image.addEventListener('error', done);
        }),
    );
    release?.();
    await shown.waitFor({ state: 'hidden' });
    const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
    expect(await page.getByRole('img', { name: title }).isVisible()).toBe(true);
  },
);

// Proves Storefront 2: Deal detail: Share (share-button.tsx)
it('copies a deal’s link when it is shared, and confirms it with a toast', async () => {
  const { page, complaints } = await browser.visit({
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const address = await openDeal(page);
  await page.evaluate(() => Object.defineProperty(navigator, 'canShare', { value: () => false }));
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('status').getByText('Link copied to clipboard!').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(address);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByText('Link copied to clipboard!').waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

// Proves Storefront 2: Deal detail: copy the code (copy-button.tsx)
it('copies a deal’s coupon code', async () => {
  const { page } = await browser.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
  await openDeal(page, '/deals?type=coupon');
  const code = await page.locator('main dl code').first().textContent();
  await page
    .getByRole('button', { name: `Copy coupon code ${code}` })
    .first()
    .click();
  // A similar deal may have the same code.
  await page.locator('main dl').getByText('Copied', { exact: true }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
});

it('keeps a deal’s price and button visible on a phone while the main button is out of view', async () => {
  const { page, complaints } = await browser.visit({ viewport: { width: 390, height: 844 } });
  await openDeal(page);
  const bar = page.getByRole('complementary', { name: 'Price and link' });
  const small = page.locator('footer').getByText('All rights reserved');
  // Content is laid out only when it scrolls into view, and may be taller than estimated.
  const spaceBelow = async () => {
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
    await bar.waitFor();
    const [barBox, lastBox] = [await bar.boundingBox(), await small.boundingBox()];
    return (barBox?.y ?? 0) - (lastBox?.y ?? 0) - (lastBox?.height ?? 0);
  };
  await expect.poll(spaceBelow).toBeGreaterThanOrEqual(0);

  await page
    .getByRole('link', { name: /^Get This Deal/ })
    .first()
    .scrollIntoViewIfNeeded();
  await bar.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(complaints).toEqual([]);
});

it('shows everything on a deal’s page without JavaScript, except controls that need it', async () => {
  const { page } = await browser.visit({ javaScriptEnabled: false });
  await openDeal(page);
  expect(await page.getByRole('button', { name: 'Share' }).isVisible()).toBe(false);
  expect(await page.getByRole('img', { name: 'Price history' }).first().isVisible()).toBe(true);
  const range = page.getByRole('link', { name: '1 year' });
  await range.click();
  await page.waitForURL('**?days=365');
  expect(await page.getByRole('link', { name: '1 year' }).getAttribute('aria-current')).toBe(
    'true',
  );
});

// Proves Storefront 2: Deal detail: "Deal Not Found" (deal-page.tsx)
it('offers alternatives to a missing deal', async () => {
  const { page } = await browser.visit();
  const answer = await page.goto('/deals/no-such-deal');
  expect(answer?.status()).toBe(404);
  await page.getByRole('heading', { level: 1, name: 'Deal Not Found' }).waitFor();
  await page.getByRole('link', { name: 'Browse All Deals' }).click();
  await page.waitForURL('**/deals');
});

it.each([
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
])('shows a deal’s verdict and button without scrolling at $width px', async (viewport) => {
  const { page, complaints } = await browser.visit({ viewport });
  await openDeal(page, '/deals?sort=discount');
  const box = page.getByRole('region', { name: 'Price', exact: true });
  const verdict = box.locator('p').first();
  expect(await verdict.textContent()).toMatch(
    /^\$[\d,.]+, (usually|.+ below the) \$[\d,.]+.*: lower than on \d+ of the (last )?\d+ days/,
  );
  const way = box.getByRole('link', { name: /^Get This Deal/ });
  const parts = [verdict, way];
  if (viewport.width === 1280) parts.push(page.getByRole('img', { name: 'Price history' }).last());
  for (const part of parts) {
    const at = await part.boundingBox();
    expect((at?.y ?? Infinity) + (at?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
  }
  expect(complaints).toEqual([]);
});

describe('a printed page', () => {
  /** Returns the number of pages in a PDF. */
  const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;

  it.each(['/deals?sort=discount', '/deals?type=coupon', '/deals?status=used'])(
    'prints a deal on one %s page, with light colors even in the dark theme',
    async (list) => {
      const { page } = await browser.visit({ colorScheme: 'dark' });
      const address = await openDeal(page, list);
      const onScreen = await page.evaluate(() => getComputedStyle(document.body).color);
      expect(pagesOf(await page.pdf({ format: 'A4' }))).toBe(1);
      expect(pagesOf(await page.pdf({ format: 'Letter' }))).toBe(1);

      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect(await page.evaluate(() => getComputedStyle(document.body).color)).not.toBe(onScreen);
      expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe(
        'rgb(28, 26, 23)',
      );
      const box = page.getByRole('region', { name: 'Price', exact: true });
      const shown = [
        page.getByRole('heading', { level: 1 }),
        page.locator('main article img').first(),
        box.locator('p').first(),
        box.getByText('Sold at'),
        page.getByRole('img', { name: 'Price history' }).last(),
        page.locator('main').getByText(address, { exact: false }).filter({ visible: true }).first(),
      ];
      for (const part of shown) expect(await part.isVisible()).toBe(true);
      const hidden = ['header', 'footer', 'nav', '[role=search]', 'button'];
      for (const part of hidden) {
        expect([part, await page.locator(part).filter({ visible: true }).count()]).toEqual([
          part,
          0,
        ]);
      }
    },
  );

  it.each(['/', '/deals', '/how-we-rank', '/blog'])(
    'prints %s without the header, footer or buttons',
    async (address) => {
      const { page } = await browser.visit({ colorScheme: 'dark' });
      await page.goto(address);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      for (const part of ['body > header', 'footer', 'nav', 'button', '[role=search]']) {
        expect([part, await page.locator(part).filter({ visible: true }).count()]).toEqual([
          part,
          0,
        ]);
      }
      expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
    },
  );
});
