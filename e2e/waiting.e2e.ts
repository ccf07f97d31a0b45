import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from './open-browser.ts';
import { openAlive } from './page-alive.ts';

const browser = useBrowser();

/** Holds back what the page asks for at these addresses, until it is let go. */
async function hold(page: Page, addresses: RegExp): Promise<() => void> {
  const freed = Promise.withResolvers<void>();
  await page.route(addresses, async (route) => {
    await freed.promise;
    await route.continue().catch(() => {}); // the page may have left meanwhile
  });
  return freed.resolve;
}

const skeletons = (page: Page) => page.locator('main [aria-busy=true] > div > [aria-hidden=true]');

describe('while a visitor waits', () => {
  // Proves Storefront 2: Deals list: six skeleton cards (list-region.tsx)
  // Proves Storefront 9: Six skeletons (list-region.tsx)
  // Proves P47: six skeleton cards within a list (list-region.tsx)
  it('for another list six skeleton cards stand in its place, and those who listen hear it', async () => {
    const { page, complaints } = await browser.visit();
    await openAlive(page, '/deals');
    const release = await hold(page, /\/categories\/[^?]+\.data/);
    const chip = page.getByRole('navigation', { name: 'Categories' }).getByRole('link').nth(1);
    const name = (await chip.textContent()) ?? '';
    await chip.click();
    await page.getByText('Loading deals…').waitFor();
    expect(await skeletons(page).count()).toBe(6);
    expect(await page.locator('main article').count()).toBe(0);
    release();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.locator('main article').first().waitFor();
    expect(await skeletons(page).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  // Proves Design: Loading: skeletons and a bar past 150 ms (navigation-progress.tsx)
  it('for the same list with a filter the old one stays', async () => {
    const { page } = await browser.visit();
    await openAlive(page, '/deals');
    const release = await hold(page, /\/deals\.data/);
    await page.getByLabel('Deal Type').selectOption('coupon');
    await page.locator('main [aria-busy=true]').waitFor();
    expect(await page.locator('main article').count()).toBeGreaterThan(0);
    expect(await skeletons(page).count()).toBe(0);
    release();
    await page.waitForURL('**/deals?type=coupon');
    await page.locator('main [aria-busy=false]').waitFor();
  });

  it('for a search it says what is searched for', async () => {
    const { page } = await browser.visit();
    await openAlive(page, '/deals');
    const release = await hold(page, /\/deals\.data/);
    await page.locator('#header-search').fill('desk');
    await page.keyboard.press('Enter');
    await page.getByText('Searching for "desk"...').waitFor();
    expect(await skeletons(page).count()).toBe(6);
    release();
    await page.getByRole('heading', { level: 1, name: 'Search Results for "desk"' }).waitFor();
    expect(await page.getByText('Searching for "desk"...').count()).toBe(0);
  });

  // Proves Storefront 2: Suggestions: "Searching..." (search-popup.tsx)
  it('for suggestions the search box says so', async () => {
    const { page } = await browser.visit();
    await openAlive(page, '/blog');
    const release = await hold(page, /\/api\/suggest/);
    await page.locator('#header-search').pressSequentially('desk');
    await page.getByText('Searching...', { exact: true }).waitFor();
    expect(await page.getByText('No suggestions found').count()).toBe(0);
    release();
    await page.locator('#header-search-list [role=option]').first().waitFor();
    expect(await page.getByText('Searching...', { exact: true }).count()).toBe(0);
  });
});

describe('when the next page cannot be fetched', () => {
  // Proves Design: Error: what happened, what to do, reference (error-screen.tsx)
  it('the error screen says so in safe words and keeps the frame; Reload Page mends it', async () => {
    const { page } = await browser.visit();
    await openAlive(page, '/blog');
    await page.route(/\/how-we-rank|\/categories\.data/, (route) => route.abort());
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Categories' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Something went wrong' }).waitFor();
    const main = (await page.locator('main').textContent()) ?? '';
    expect(main).not.toMatch(/fetch|TypeError|at \w+ \(/);
    expect(await page.locator('footer').count()).toBe(1);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload Page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Categories' }).waitFor();
  });
});
