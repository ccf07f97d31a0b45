import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from './open-browser.ts';
import { openHydrated } from './page-alive.ts';

const browser = useBrowser();

const goHome = async (page: Page) => {
  await openHydrated(page, '/');
  await page.getByRole('heading', { level: 1 }).waitFor();
};
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe('the first screen', () => {
  it.each([
    [1280, 800, 4],
    [1920, 1080, 6],
    [390, 844, 1],
  ])('shows deals with their prices at %i × %i', async (width, height, least) => {
    const { page } = await browser.visit({ viewport: { width, height } });
    await goHome(page);
    const prices = await page.locator('main article strong').evaluateAll(
      (all, bottom) =>
        all.filter((price) => {
          const box = price.getBoundingClientRect();
          return box.height > 0 && box.bottom <= bottom;
        }).length,
      height,
    );
    expect(prices).toBeGreaterThanOrEqual(least);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });

  it.each([
    [1280, 800],
    [1920, 1080],
  ])('shows a list’s filters and sort order in one row at %i × %i', async (width, height) => {
    const { page } = await browser.visit({ viewport: { width, height } });
    for (const address of ['/deals', '/deals?search=lamp&status=new&min=5']) {
      await openHydrated(page, address);
      const rows = await page
        .getByRole('form', { name: 'Filters' })
        .locator('label:visible, fieldset:visible')
        .evaluateAll((fields) => fields.map((field) => field.getBoundingClientRect().bottom));
      expect(rows.length).toBeGreaterThan(4);
      expect(Math.max(...rows) - Math.min(...rows)).toBeLessThan(24);
      const price = page.locator('main article strong').first();
      expect((await price.boundingBox())?.y).toBeLessThan(height);
    }
  });
});

describe('links on the home page', () => {
  it('opens the deals and the categories through the hero’s two buttons', async () => {
    const { page, complaints } = await browser.visit();
    await goHome(page);
    await page.getByRole('link', { name: 'Browse All Deals' }).click();
    await page.waitForURL('**/deals');
    await page.goBack();
    await page.getByRole('link', { name: 'Shop by Category' }).first().click();
    await page.waitForURL('**/categories');
    await page.getByRole('heading', { level: 1, name: 'Categories' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('opens a category with as many deals as its tile states', async () => {
    const { page } = await browser.visit();
    await goHome(page);
    const tile = section(page, 'Shop by Category').getByRole('listitem').first().getByRole('link');
    const promised = /([\d,]+) deals? available/.exec((await tile.textContent()) ?? '')?.[1];
    await tile.click();
    await page.waitForURL('**/categories/*');
    await page
      .locator('main [role=status]', { hasText: new RegExp(`^${promised} deals?\\b`) })
      .first()
      .waitFor();
    const chips = page.getByRole('navigation', { name: 'Categories' });
    expect(await chips.locator('[aria-current=page]').count()).toBe(1);
    await chips.getByRole('link', { name: 'All Deals' }).click();
    await page.waitForURL('**/deals');
  });

  it('opens a store with only its own deals and no category row', async () => {
    const { page, complaints } = await browser.visit();
    await goHome(page);
    const link = section(page, 'Featured Merchants').getByRole('heading', { level: 3 }).first();
    const name = (await link.textContent()) ?? '';
    await link.getByRole('link').click();
    await page.waitForURL('**/merchants/*');
    await page.getByRole('heading', { level: 1, name }).waitFor();
    const cards = page.locator('main article');
    await cards.first().waitFor();
    for (const card of await cards.allTextContents()) expect(card).toContain(name);
    expect(await page.getByRole('navigation', { name: 'Categories' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('links from an article to the blog and to a related article', async () => {
    const { page, complaints } = await browser.visit();
    await goHome(page);
    const article = section(page, 'Latest Blog Posts').getByRole('heading', { level: 3 }).first();
    const title = (await article.textContent()) ?? '';
    await article.getByRole('link').click();
    await page.waitForURL('**/blog/*');
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(await page.getByText(/\d+ min read/).count()).toBeGreaterThan(0);
    const related = page.locator('main').getByRole('heading', { level: 3 }).getByRole('link');
    const other = (await related.first().textContent()) ?? '';
    expect(other).not.toBe(title);
    await related.first().click();
    await page.getByRole('heading', { level: 1, name: other }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('an article', () => {
  it('shares an article’s link', async () => {
    const { page } = await browser.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'canShare', { value: () => false }),
    );
    await openHydrated(page, '/blog');
    await page.locator('main article').first().getByRole('heading').getByRole('link').click();
    await page.waitForURL('**/blog/*');
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByText('Link copied to clipboard!').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(new URL(copied).pathname).toBe(new URL(page.url()).pathname);
  });

  it('links from a missing article back to the blog', async () => {
    const { page } = await browser.visit();
    const answer = await page.goto('/blog/no-such-article');
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Article Not Found' }).waitFor();
    await page.getByRole('link', { name: 'Back to Blog' }).click();
    await page.waitForURL('**/blog');
  });
});

describe('a deal', () => {
  it('shares a deal through the browser’s own dialog, if there is one, and shows no toast', async () => {
    const { page, complaints } = await browser.visit();
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'canShare', { value: () => true });
      Object.defineProperty(navigator, 'share', {
        value: (data: ShareData) => {
          Object.assign(window, { shared: data });
          return Promise.resolve();
        },
      });
    });
    await openHydrated(page, '/deals');
    await page.locator('main article').first().getByRole('heading').getByRole('link').click();
    await page.waitForURL('**/deals/*');
    await page.getByRole('button', { name: 'Share' }).click();
    const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
    const shared = await page.evaluate(() => (window as never as { shared: ShareData }).shared);
    expect(shared.title).toContain(title);
    expect(new URL(shared.url ?? '').pathname).toBe(new URL(page.url()).pathname);
    expect(await page.getByText('Link copied').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('shows the link for manual copying if sharing is impossible, until it is dismissed', async () => {
    const { page } = await browser.visit();
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'canShare', { value: () => false });
      Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined });
    });
    await openHydrated(page, '/deals');
    await page.locator('main article').first().getByRole('heading').getByRole('link').click();
    await page.waitForURL('**/deals/*');
    await page.getByRole('button', { name: 'Share' }).click();
    const words = page.getByText(/^The link could not be copied: http/);
    await words.waitFor();
    expect(await words.textContent()).toContain(new URL(page.url()).pathname);
    // Sharing the same link again does not add a second message.
    await page.getByRole('button', { name: 'Share' }).click();
    expect(await words.count()).toBe(1);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await words.waitFor({ state: 'detached' });
  });

  it('keeps the chosen price history range when the deal is reloaded', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, '/deals?sort=discount');
    await page.locator('main article').first().getByRole('heading').getByRole('link').click();
    await page.waitForURL('**/deals/*');
    const ranges = page.getByRole('navigation', { name: 'Price history range' });
    await ranges.getByRole('link', { name: 'All' }).click();
    await page.waitForURL('**?days=all');
    await page.reload();
    expect(await ranges.locator('[aria-current=true]').allTextContents()).toEqual(['All']);
    await page.goBack();
    await page.waitForURL('**/deals?sort=discount');
  });
});
