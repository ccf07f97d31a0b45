import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { holdRequests } from './hold-requests.ts';
import { openStaffSession } from './open-staff-session.ts';
import { useBrowser } from './open-browser.ts';
import { openHydrated } from './page-alive.ts';

const browser = useBrowser({ startsAnew: true });

const skeletons = (page: Page) => page.locator('main [aria-busy=true] > div > [aria-hidden=true]');
const cards = (page: Page) => page.locator('main article').filter({ visible: true });
const nextPage = (page: Page) => page.getByRole('link', { name: 'Next page' });

describe('while a visitor waits', () => {
  // Proves P47: six skeleton cards within a list (list-region.tsx)
  // Proves Design: Loading: skeletons and a bar past 150 ms (swap-regions.ts)
  it('dims the old list for 150 ms, then replaces it with six skeleton cards', async () => {
    const { page, complaints } = await browser.visit();
    await page.clock.install();
    await openHydrated(page, '/deals');
    await nextPage(page).hover(); // Hovering loads the script.
    await page.clock.pauseAt(Date.now() + 3_600_000);
    const release = await holdRequests(page, /\/deals\?page=2$/);
    await nextPage(page).click();
    await page.locator('main [aria-busy=true]').waitFor();
    await page.clock.runFor(149);
    expect(await cards(page).count()).toBeGreaterThan(6);
    expect(await skeletons(page).count()).toBe(0);
    await page.clock.runFor(1);
    await page.getByText('Loading deals…').waitFor();
    expect(await skeletons(page).count()).toBe(6);
    expect(await cards(page).count()).toBe(0);
    expect(new URL(page.url()).search).toBe('');
    release();
    await page.waitForURL('**/deals?page=2');
    await cards(page).first().waitFor();
    expect(await skeletons(page).count()).toBe(0);
    expect(await page.locator('main [aria-busy=true]').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('replaces the list when a filter changes, but keeps the filters', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, '/deals');
    const release = await holdRequests(page, /\/deals\?type=coupon$/);
    await page.getByLabel('Deal Type').selectOption('coupon');
    await page.getByText('Loading deals…').waitFor();
    expect(await skeletons(page).count()).toBe(6);
    expect(await page.getByLabel('Deal Type').inputValue()).toBe('coupon');
    release();
    await page.waitForURL('**/deals?type=coupon');
    await cards(page).first().waitFor();
  });

  it('shows the text of a search while its results load', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, '/deals?search=desk');
    const release = await holdRequests(page, /sort=price_low/);
    await page.getByLabel('Sort', { exact: true }).selectOption('price_low');
    await page.getByText('Searching for "desk"...').waitFor();
    expect(await skeletons(page).count()).toBe(6);
    release();
    await page.waitForURL('**/deals?search=desk&sort=price_low');
    await cards(page).first().waitFor();
    expect(await page.getByText('Searching for "desk"...').count()).toBe(0);
  });

  // Proves Storefront 2: Suggestions: "Searching..." (search-popup.tsx)
  it('indicates in the search box that suggestions are loading', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, '/blog');
    const release = await holdRequests(page, /\/api\/suggest/);
    await page.locator('#header-search').pressSequentially('desk');
    await page.getByText('Searching...', { exact: true }).waitFor();
    expect(await page.getByText('No suggestions found').count()).toBe(0);
    release();
    await page.locator('#header-search-list [role=option]').first().waitFor();
    expect(await page.getByText('Searching...', { exact: true }).count()).toBe(0);
  });
});

describe('a list that cannot be loaded', () => {
  it.each([
    ['a lost connection', null],
    ['a server error', 500],
    ['a 429 response', 429],
  ])(
    'shows an error in place of the list after %s, and loads the list on Retry',
    async (_what, status) => {
      const { page } = await browser.visit();
      await openHydrated(page, '/deals');
      await page.getByLabel('Deal Type').focus(); // The focus loads the script.
      await page.route(/type=coupon/, (route) =>
        status === null ? route.abort() : route.fulfill({ status, body: 'secret inner words' }),
      );
      await page.getByLabel('Deal Type').selectOption('coupon');
      const alert = page.getByRole('alert');
      await alert.getByRole('heading', { name: 'Something went wrong' }).waitFor();
      expect(await alert.textContent()).toContain(
        'The deals could not be loaded. Please try again.',
      );
      expect(await page.locator('main').textContent()).not.toMatch(/secret|fetch|TypeError/);
      expect(await cards(page).count()).toBe(0);
      // The URL must not change before the response has arrived.
      expect(new URL(page.url()).search).toBe('');
      expect(await page.getByLabel('Deal Type').inputValue()).toBe('coupon');

      await page.unrouteAll();
      await alert.getByRole('link', { name: 'Retry' }).click();
      await page.waitForURL('**/deals?type=coupon');
      await cards(page).first().waitFor();
      expect(await alert.count()).toBe(0);
      expect(await cards(page).count()).toBe(await cards(page).locator('code').count());
    },
  );

  it('restores the previous list when the previous filter is chosen', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, '/deals');
    await page.route(/type=coupon/, (route) => route.abort());
    await page.getByLabel('Deal Type').selectOption('coupon');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Deal Type').selectOption('');
    await cards(page).first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(new URL(page.url()).search).toBe('');
  });

  it('shows a specific message for a failed search', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, '/deals?search=desk');
    await page.route(/sort=newest/, (route) => route.fulfill({ status: 503 }));
    await page.getByLabel('Sort', { exact: true }).selectOption('newest');
    await page.getByRole('heading', { name: 'Search Error' }).waitFor();
    await page.getByText('There was an error searching for "desk". Please try again.').waitFor();
    await page.unrouteAll();
    await page.getByRole('link', { name: 'Retry' }).click();
    await page.waitForURL('**/deals?search=desk&sort=newest');
    await cards(page).first().waitFor();
  });

  it('shows an error below the range buttons of the price history, which still work', async () => {
    const { page } = await browser.visit();
    await page.goto('/deals?sort=discount');
    await page.locator('main article').first().getByRole('heading').getByRole('link').click();
    await page.waitForURL('**/deals/*');
    const ranges = page.getByRole('navigation', { name: 'Price history range' });
    await page.route(/days=30/, (route) => route.abort());
    await ranges.getByRole('link', { name: '30 days' }).click();
    await page.getByText('The price history could not be loaded. Please try again.').waitFor();
    await ranges.getByRole('link', { name: 'All' }).click();
    await page.waitForURL('**?days=all');
    await page.getByRole('img', { name: 'Price history' }).first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

describe('an admin page that cannot be fetched', () => {
  // Proves Design: Error: what happened, what to do, reference (error-screen.tsx)
  it('shows a safe message within the layout when an admin page cannot be fetched, and recovers on Reload Page', async () => {
    const { page } = await browser.visit();
    await openStaffSession(page.context(), 'waiting');
    await openHydrated(page, '/admin');
    const sidebar = page.getByRole('navigation', { name: 'Admin' });
    await page.route(/\/admin\/categories\.data/, (route) => route.abort());
    await sidebar.getByRole('link', { name: 'Categories', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Something went wrong' }).waitFor();
    const main = (await page.locator('main').textContent()) ?? '';
    expect(main).not.toMatch(/fetch|TypeError|at \w+ \(/);
    expect(await sidebar.count()).toBe(1);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload Page' }).click();
    await page.waitForURL('**/admin/categories');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByText('Something went wrong').count()).toBe(0);
  });
});
