import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from './open-browser.ts';
import { openHydrated, untilHydrated } from './page-alive.ts';

const browser = useBrowser({ showsPictures: true });

const isDark = (page: Page) =>
  page.evaluate(() => document.documentElement.classList.contains('dark'));
const stored = (page: Page) => page.evaluate(() => localStorage.getItem('theme'));
const toggleOf = (page: Page) =>
  page.getByRole('button', { name: 'Switch between light and dark theme' });

describe('the theme', () => {
  // Proves Storefront 4: Theme: stored or the system’s (theme.ts)
  it('starts with the system’s theme, and stores nothing before the visitor chooses', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await browser.visit({ colorScheme });
      await openHydrated(page, '/blog');
      expect(await isDark(page)).toBe(colorScheme === 'dark');
      expect(await stored(page)).toBeNull();
    }
  });

  // Proves Storefront 2: Header: theme toggle (theme-toggle.tsx)
  // Proves Storefront 9: Storage key “theme”; copyright 2025 (theme.ts, site-footer.tsx)
  it('switches the theme with its button, and stores it under the key `theme` for later pages', async () => {
    const { page, complaints } = await browser.visit({ colorScheme: 'light' });
    await openHydrated(page, '/blog');
    await toggleOf(page).click();
    expect(await isDark(page)).toBe(true);
    await expect.poll(() => stored(page)).toBe('dark');
    await page.goto('/deals');
    expect(await isDark(page)).toBe(true);
    await untilHydrated(page);
    expect(await isDark(page)).toBe(true);
    await toggleOf(page).click();
    expect(await isDark(page)).toBe(false);
    await expect.poll(() => stored(page)).toBe('light');
    expect(complaints).toEqual([]);
  });

  it('P37: applies the theme before the first paint, even if all scripts are delayed', async () => {
    const { page } = await browser.visit({ colorScheme: 'light' });
    await openHydrated(page, '/blog');
    await page.evaluate(() => localStorage.setItem('theme', 'dark'));
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto('/blog', { waitUntil: 'domcontentloaded' });
    expect(await isDark(page)).toBe(true);
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(background).toBe('rgb(20, 19, 18)');
  });

  it('ignores a stored value that is not a theme', async () => {
    const { page } = await browser.visit({ colorScheme: 'dark' });
    await page.addInitScript(() => localStorage.setItem('theme', 'purple'));
    await page.goto('/blog');
    expect(await isDark(page)).toBe(true);
  });

  it('switches the theme even if the browser cannot store anything', async () => {
    const { page, complaints } = await browser.visit({ colorScheme: 'light' });
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('denied', 'SecurityError');
        },
      });
    });
    await openHydrated(page, '/blog');
    await toggleOf(page).click();
    expect(await isDark(page)).toBe(true);
    // The specification requires one log line, and the browser logs its own errors.
    const other = complaints.filter(
      (one) => !one.startsWith('The cookie preferences could not be'),
    );
    expect(other).toEqual([]);
  });
});

describe('the scroll-to-top button', () => {
  const buttonOf = (page: Page) => page.getByRole('button', { name: 'Scroll to top' });
  const scrollTo = (page: Page, top: number) =>
    page.evaluate((to) => window.scrollTo({ top: to, behavior: 'instant' }), top);

  // Proves Storefront 2: Scroll-to-top beyond 300 px (scroll-to-top.tsx)
  it('shows the scroll-to-top button beyond 300 px, scrolls to the top and focuses the content', async () => {
    const { page, complaints } = await browser.visit();
    await openHydrated(page, '/deals');
    expect(await buttonOf(page).count()).toBe(0);
    await scrollTo(page, 300);
    await page.waitForFunction(() => scrollY === 300);
    expect(await buttonOf(page).count()).toBe(0);
    await scrollTo(page, 301);
    await buttonOf(page).click();
    await page.waitForFunction(() => scrollY === 0);
    await buttonOf(page).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    expect(complaints).toEqual([]);
  });
});

describe('the phone menu', () => {
  const phone = { viewport: { width: 390, height: 800 } };

  // Proves Storefront 2: Header: mobile menu and second search box (site-header.tsx)
  it('opens the phone menu with five links and a search box, closes it on Escape and restores the focus', async () => {
    const { page, complaints } = await browser.visit(phone);
    await openHydrated(page, '/blog');
    const menu = page.locator('summary[aria-label="Menu"]');
    const links = page.getByRole('navigation', { name: 'Menu' }).getByRole('link');
    expect(await links.count()).toBe(0);
    await menu.click();
    expect(await links.allTextContents()).toEqual([
      'Home',
      'Deals',
      'Categories',
      'Stores',
      'Blog',
    ]);
    expect(await page.getByRole('search', { name: 'Search from the menu' }).isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await links.count()).toBe(0);
    expect(await menu.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('closes the phone menu when one of its links is followed', async () => {
    const { page } = await browser.visit(phone);
    await openHydrated(page, '/blog');
    await page.locator('summary[aria-label="Menu"]').click();
    await page
      .getByRole('navigation', { name: 'Menu' })
      .getByRole('link', { name: 'Stores' })
      .click();
    await page.waitForURL('**/merchants');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('navigation', { name: 'Menu' }).waitFor({ state: 'hidden' });
  });
});

describe('a coupon code', () => {
  it('shows a coupon code without an error if the browser cannot copy', async () => {
    const { page, complaints } = await browser.visit();
    // These functions are missing on pages without https.
    await page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined }),
    );
    await openHydrated(page, '/deals?type=coupon');
    const card = page.locator('main article').first();
    const code = await card.locator('code').textContent();
    await card.getByRole('button', { name: `Copy coupon code ${code}` }).click();
    await card.getByRole('status').getByText(`Could not copy. The text: ${code}`).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('a picture that fails to load', () => {
  it('shows a store’s initials if its picture fails to load, even before hydration', async () => {
    const { page } = await browser.visit();
    const alive = Promise.withResolvers<void>();
    await page.route(/\/media\/|\.svg|\.webp/, (route) => route.abort());
    await page.route('**/assets/*.js', async (route) => {
      await alive.promise;
      await route.continue();
    });
    const failed = page.waitForEvent('requestfailed', (request) =>
      /media|svg|webp/.test(request.url()),
    );
    await page.goto('/merchants', { waitUntil: 'commit' });
    await failed;
    alive.resolve();
    const first = page.locator('main article').first();
    const name = (await first.getByRole('heading').textContent()) ?? '';
    const initials = name
      .split(/\s+/)
      .slice(0, 2)
      .map((word) => word[0]?.toUpperCase())
      .join('');
    await first.locator('img').waitFor({ state: 'hidden' });
    expect(await first.getByText(initials, { exact: true }).isVisible()).toBe(true);
  });

  it('shows a neutral placeholder if a deal’s picture fails to load', async () => {
    const { page } = await browser.visit();
    await page.route('**/media/**', (route) => route.abort());
    await openHydrated(page, '/deals');
    const first = page.locator('main article').first();
    await first.getByRole('heading').waitFor();
    await first.locator('img').waitFor({ state: 'hidden' });
    expect(await first.locator('svg').first().isVisible()).toBe(true);
  });
});

it('shows a working footer while the script of its form loads', async () => {
  const { page, complaints } = await browser.visit({ colorScheme: 'light' });
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/newsletter-form-*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  await openHydrated(page, '/deals');
  const footer = await page.locator('footer').elementHandle();
  const form = page.locator('footer form');
  const isAlive = () =>
    form.evaluate((element) =>
      Object.keys(element).some((name) => name.startsWith('__reactProps')),
    );
  const asked = page.waitForRequest('**/assets/newsletter-form-*.js');
  await form.getByLabel('Email').focus();
  await asked;
  await toggleOf(page).click();
  expect([await isDark(page), await isAlive()]).toEqual([true, false]);
  expect(await page.locator('footer').isVisible()).toBe(true);
  held.resolve();
  await expect.poll(isAlive).toBe(true);
  expect(await footer?.evaluate((element) => element.isConnected)).toBe(true);
  expect(complaints).toEqual([]);
});
