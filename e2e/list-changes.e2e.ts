import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from './open-browser.ts';
import { openHydrated } from './page-alive.ts';

const browser = useBrowser({ startsAnew: true });

const scrolled = (page: Page) => page.evaluate(() => Math.round(scrollY));
const scrollTo = (page: Page, top: number) =>
  page.evaluate((to) => window.scrollTo({ top: to, behavior: 'instant' }), top);
const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages of deals' });
const listTop = (page: Page) =>
  page.locator('[data-region=list]').evaluate((list) => list.getBoundingClientRect().top);
/** Clicks a link by script, because a pointer click would scroll it into view. */
const press = (page: Page, name: string) =>
  pages(page)
    .getByRole('link', { name })
    .evaluate((element: HTMLElement) => {
      element.focus({ preventScroll: true });
      element.click();
    });

/** Records which elements are scrolled into view, and whether instantly. */
async function noteScrolls(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const noted: string[] = [];
    const scroll = Element.prototype.scrollIntoView;
    Element.prototype.scrollIntoView = function (options) {
      const before = scrollY;
      scroll.call(this, options);
      noted.push(scrollY === before ? 'smooth' : 'instant');
    };
    Object.assign(window, { noted });
  });
  return () => page.evaluate(() => (window as never as { noted: string[] }).noted);
}

describe('a change within a list', () => {
  // Proves P46: a change within a list scrolls to its top (swap-regions.ts)
  // Proves Storefront 2: Page change: smooth scroll to the top after 100 ms (swap-regions.ts)
  // Proves Storefront 9: Scroll-to-top beyond 300 px, reset after 100 ms (swap-regions.ts)
  it('scrolls smoothly to the list’s top after 100 ms', async () => {
    const { page, complaints } = await browser.visit();
    await page.clock.install();
    await openHydrated(page, '/deals');
    await scrollTo(page, 1500);
    const noted = await noteScrolls(page);
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await press(page, 'Page 2');
    await page.waitForURL('**/deals?page=2');
    await pages(page).locator('[aria-current=page]', { hasText: '2' }).waitFor();
    await page.clock.runFor(99);
    expect(await noted()).toEqual([]);
    await page.clock.runFor(1);
    expect(await noted()).toEqual(['smooth']);
    await expect.poll(() => listTop(page)).toBeGreaterThanOrEqual(0);
    expect(complaints).toEqual([]);
  });

  it('jumps to the list’s top for visitors who prefer reduced motion', async () => {
    const { page } = await browser.visit({ reducedMotion: 'reduce' });
    await openHydrated(page, '/deals');
    await scrollTo(page, 1500);
    const noted = await noteScrolls(page);
    await press(page, 'Page 2');
    await expect.poll(noted).toEqual(['instant']);
    expect(await listTop(page)).toBeGreaterThanOrEqual(0);
  });

  it('keeps the scroll position when a filter is chosen while the list’s top is visible', async () => {
    const { page } = await browser.visit();
    await page.clock.install();
    await openHydrated(page, '/deals');
    await scrollTo(page, 200);
    const noted = await noteScrolls(page);
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await page.getByLabel('Deal Type').selectOption('coupon');
    await page.waitForURL('**/deals?type=coupon');
    await page.getByRole('link', { name: 'Remove filter Coupon deals' }).waitFor();
    await page.clock.runFor(1_000);
    expect(await noted()).toEqual([]);
    expect(await scrolled(page)).toBe(200);
  });

  it('restores the scroll position when going back and forward, even if the response is slow', async () => {
    const { page, complaints } = await browser.visit({ reducedMotion: 'reduce' });
    await openHydrated(page, '/deals');
    await scrollTo(page, 1800);
    await page.route(/\/deals(\?page=2)?$/, async (route) => {
      // The response takes longer than the delay until skeletons appear.
      await page.getByText('Loading deals…').waitFor();
      await route.continue();
    });
    await press(page, 'Page 2');
    await page.waitForURL('**/deals?page=2');
    await page.waitForFunction(() => scrollY < 1000);
    await scrollTo(page, 700);
    await page.waitForFunction(() => scrollY === 700);

    await page.goBack();
    await page.waitForURL('**/deals');
    await pages(page).locator('[aria-current=page]', { hasText: '1' }).waitFor();
    await page.waitForFunction(() => Math.abs(scrollY - 1800) < 5);
    await page.goForward();
    await page.waitForURL('**/deals?page=2');
    await pages(page).locator('[aria-current=page]', { hasText: '2' }).waitFor();
    await page.waitForFunction(() => Math.abs(scrollY - 700) < 5);
    expect(complaints).toEqual([]);
  });
});
