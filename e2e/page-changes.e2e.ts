import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from './open-browser.ts';
import { openAlive } from './page-alive.ts';

const browser = useBrowser();

const scrolled = (page: Page) => page.evaluate(() => Math.round(scrollY));
const scrollTo = (page: Page, top: number) =>
  page.evaluate((to) => window.scrollTo({ top: to, behavior: 'instant' }), top);

/** Notes how every call of `scrollTo` would scroll. */
async function noteScrolls(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const noted: string[] = [];
    const scroll = window.scrollTo.bind(window) as (options: ScrollToOptions) => void;
    window.scrollTo = ((options: ScrollToOptions) => {
      noted.push(options.behavior ?? '');
      scroll(options);
    }) as typeof window.scrollTo;
    Object.assign(window, { noted });
  });
  return () => page.evaluate(() => (window as never as { noted: string[] }).noted);
}

describe('a change of the page', () => {
  // Proves Storefront 2: Page change: smooth scroll to the top after 100 ms (scroll-manager.tsx)
  // Proves Storefront 9: Scroll-to-top beyond 300 px, reset after 100 ms (scroll-manager.tsx)
  it('scrolls smoothly to the top after 100 ms, by the clock of the page', async () => {
    const { page, complaints } = await browser.visit();
    await page.clock.install();
    await openAlive(page, '/deals');
    await scrollTo(page, 900);
    const noted = await noteScrolls(page);
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await page.locator('main article').nth(4).getByRole('heading').getByRole('link').click();
    await page.waitForURL(/\/deals\/[a-z0-9-]+$/);
    await page.locator('main h1').waitFor();
    await page.clock.runFor(99);
    expect(await noted()).toEqual([]);
    await page.clock.runFor(1);
    expect(await noted()).toEqual(['smooth']);
    await expect.poll(() => scrolled(page)).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('jumps for visitors who asked for less motion', async () => {
    const { page } = await browser.visit({ reducedMotion: 'reduce' });
    await openAlive(page, '/deals');
    await scrollTo(page, 900);
    const noted = await noteScrolls(page);
    await page.locator('main article').nth(4).getByRole('heading').getByRole('link').click();
    await page.waitForURL(/\/deals\/[a-z0-9-]+$/);
    await page.waitForFunction(() => scrollY === 0);
    expect(await noted()).toEqual(['instant']);
  });

  // Proves P46: back returns to where the visitor was (scroll-manager.tsx)
  it('going back returns to where the visitor was', async () => {
    const { page } = await browser.visit();
    await openAlive(page, '/deals');
    const link = page.locator('main article').nth(6).getByRole('heading').getByRole('link');
    await link.scrollIntoViewIfNeeded();
    await scrollTo(page, 1000);
    await page.waitForFunction(() => scrollY === 1000);
    await link.evaluate((element: HTMLElement) => element.click()); // a real pointer would scroll it into view
    await page.waitForURL(/\/deals\/[a-z0-9-]+$/);
    await page.waitForFunction(() => scrollY === 0);
    await page.goBack();
    await page.waitForURL('**/deals');
    await page.waitForFunction(() => Math.abs(scrollY - 1000) < 5);
  });

  it('a change of filters leaves the visitor in place', async () => {
    const { page } = await browser.visit();
    await openAlive(page, '/deals');
    await scrollTo(page, 200);
    const noted = await noteScrolls(page);
    await page.getByLabel('Deal Type').selectOption('coupon');
    await page.waitForURL('**/deals?type=coupon');
    await page.getByRole('link', { name: 'Remove filter Coupon deals' }).waitFor();
    expect(await noted()).toEqual([]);
    expect(await scrolled(page)).toBe(200);
  });

  it('a link to a part of a page leads there, and a fragment that cannot be read does no harm', async () => {
    const { page, complaints } = await browser.visit();
    await openAlive(page, '/deals');
    await follow(page, '/#newsletter');
    await page.waitForURL('**/#newsletter');
    await page.waitForFunction(() => scrollY > 300);

    await follow(page, '/categories#100%');
    await page.waitForURL('**/categories#100%');
    await page.getByRole('heading', { level: 1, name: 'Categories' }).waitFor();
    expect(await page.getByText('Something went wrong').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

/** As a link within the page would. */
function follow(page: Page, to: string): Promise<void> {
  return page.evaluate(async (address) => {
    const { __reactRouterDataRouter: router } = window as never as {
      __reactRouterDataRouter: { navigate(to: string): Promise<void> };
    };
    await router.navigate(address);
  }, to);
}
