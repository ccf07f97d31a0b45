import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openStaffSession } from './open-staff-session.ts';
import { useBrowser } from './open-browser.ts';
import { openHydrated, untilHydrated } from './page-alive.ts';

const browser = useBrowser({ startsAnew: true });

const scrolled = (page: Page) => page.evaluate(() => Math.round(scrollY));
const scrollTo = (page: Page, top: number) =>
  page.evaluate((to) => window.scrollTo({ top: to, behavior: 'instant' }), top);

/** Records the `behavior` of every `scrollTo` call. */
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

/**
 * Opens a deal far down the list by script, because a pointer click would first scroll its link
 * into view.
 */
async function openDeal(page: Page): Promise<void> {
  await openHydrated(page, '/deals');
  await scrollTo(page, 1000);
  await page.waitForFunction(() => scrollY === 1000);
  const link = page.locator('main article').nth(6).getByRole('heading').getByRole('link');
  await link.evaluate((element: HTMLElement) => element.click());
  await page.waitForURL(/\/deals\/[a-z0-9-]+$/);
  await page.locator('main h1').waitFor();
}

describe('a page change', () => {
  it('opens a new document at its top without scrolling', async () => {
    const { page, complaints } = await browser.visit();
    await page.addInitScript(() => {
      const noted: unknown[] = [];
      window.scrollTo = (...how: unknown[]) => noted.push(how);
      Object.assign(window, { noted });
    });
    await page.goto('/about');
    const openedAt = await page.evaluate(() => performance.timeOrigin);
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Deals' })
      .click();
    await page.waitForURL('**/deals');
    await untilHydrated(page);
    expect(await page.evaluate(() => performance.timeOrigin)).toBeGreaterThan(openedAt);
    expect(await page.evaluate('window.noted')).toEqual([]);
    expect(await scrolled(page)).toBe(0);
    expect(complaints).toEqual([]);
  });

  // Proves P46: back returns to where the visitor was (site-layout.tsx)
  it('opens a page at the top, and restores the scroll position when going back and forward', async () => {
    const { page, complaints } = await browser.visit();
    await openDeal(page);
    expect(await scrolled(page)).toBe(0);
    await scrollTo(page, 400);
    await page.goBack();
    await page.waitForURL('**/deals');
    await page.waitForFunction(() => Math.abs(scrollY - 1000) < 5);
    await page.goForward();
    await page.waitForURL(/\/deals\/[a-z0-9-]+$/);
    await page.waitForFunction(() => Math.abs(scrollY - 400) < 5);
    expect(complaints).toEqual([]);
  });

  it('fades between pages, but not for visitors who prefer reduced motion', async () => {
    for (const [reducedMotion, isFading] of [
      ['no-preference', true],
      ['reduce', false],
    ] as const) {
      const { page } = await browser.visit({ reducedMotion });
      await page.addInitScript(() => {
        addEventListener('pagereveal', ({ viewTransition }) =>
          Object.assign(window, { isFading: viewTransition !== null }),
        );
      });
      await page.goto('/about');
      await page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: 'Deals' })
        .click();
      await page.waitForURL('**/deals');
      await untilHydrated(page);
      await page.waitForFunction('"isFading" in window'); // a busy browser renders the page later
      expect([reducedMotion, await page.evaluate('window.isFading')]).toEqual([
        reducedMotion,
        isFading,
      ]);
    }
  });

  it('scrolls to a fragment of the page, and ignores a malformed one', async () => {
    const { page, complaints } = await browser.visit();
    await openHydrated(page, '/deals');
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

describe('a page change with a router', () => {
  const low = { viewport: { width: 800, height: 240 } };
  async function visitStaff(options: Parameters<typeof browser.visit>[0]) {
    const visitor = await browser.visit(options);
    await openStaffSession(visitor.page.context(), 'changing');
    return visitor;
  }

  // Proves Storefront 2: Page change: smooth scroll to the top after 100 ms (scroll-manager.tsx)
  // Proves Storefront 9: Scroll-to-top beyond 300 px, reset after 100 ms (scroll-manager.tsx)
  it('scrolls smoothly to the top after 100 ms on a routed page change', async () => {
    const { page, complaints } = await visitStaff(low);
    await page.clock.install();
    await openHydrated(page, '/admin/deals');
    await scrollTo(page, 150);
    await page.waitForFunction(() => scrollY > 100);
    const noted = await noteScrolls(page);
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await follow(page, '/admin/categories');
    await page.waitForURL('**/admin/categories');
    await page.getByRole('heading', { level: 1, name: 'Categories' }).waitFor();
    await page.clock.runFor(99);
    expect(await noted()).toEqual([]);
    await page.clock.runFor(1);
    expect(await noted()).toEqual(['smooth']);
    await expect.poll(() => scrolled(page)).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('jumps to the top on a routed page change for visitors who prefer reduced motion', async () => {
    const { page } = await visitStaff({ ...low, reducedMotion: 'reduce' });
    await openHydrated(page, '/admin/deals');
    await scrollTo(page, 150);
    await page.waitForFunction(() => scrollY > 100);
    const noted = await noteScrolls(page);
    await follow(page, '/admin/categories');
    await page.waitForURL('**/admin/categories');
    await page.waitForFunction(() => scrollY === 0);
    expect(await noted()).toEqual(['instant']);
  });

  it('restores the visitor’s scroll position when going back', async () => {
    const { page } = await visitStaff(low);
    await openHydrated(page, '/admin/deals');
    await scrollTo(page, 150);
    await page.waitForFunction(() => scrollY === 150);
    await follow(page, '/admin/categories');
    await page.waitForURL('**/admin/categories');
    await page.waitForFunction(() => scrollY === 0);
    await page.goBack();
    await page.waitForURL('**/admin/deals');
    await page.waitForFunction(() => Math.abs(scrollY - 150) < 5);
  });

  it('ignores a fragment that cannot be decoded', async () => {
    const { page, complaints } = await visitStaff(low);
    await openHydrated(page, '/admin/deals');
    await follow(page, '/admin/categories#100%');
    await page.waitForURL('**/admin/categories#100%');
    await page.getByRole('heading', { level: 1, name: 'Categories' }).waitFor();
    expect(await page.getByText('Something went wrong').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

/** Follows a link that the test inserted into the page. */
async function follow(page: Page, to: string): Promise<void> {
  await page.evaluate((address) => {
    const link = document.createElement('a');
    link.href = address;
    document.body.append(link);
    link.click();
  }, to);
}
