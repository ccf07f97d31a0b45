import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { holdRequests } from './hold-requests.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession } from './open-staff-session.ts';
import { openHydrated, untilHydrated } from './page-alive.ts';

// Tests lists that change in place, after leaving and returning, in a browser with a back/forward
// cache.

const browser = useBrowser({ hasPageCache: true });
let page: Page;
let complaints: string[];

beforeEach(async () => {
  ({ page, complaints } = await browser.visit({ reducedMotion: 'reduce' }));
  await page.addInitScript(() => {
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) document.documentElement.dataset['kept'] = '';
    });
  });
});

const cards = () => page.locator('main article').filter({ visible: true });
const type = () => page.getByLabel('Deal Type');
const sort = () => page.getByLabel('Sort', { exact: true });
const isKept = () => page.evaluate(() => document.documentElement.dataset['kept'] !== undefined);
/**
 * Waits for the URL without `waitForURL`, because no document loads when a page is restored from
 * the back/forward cache.
 */
const comesTo = (search: string) =>
  page.waitForFunction((expected) => location.search === expected, search);
const goBack = () => page.evaluate(() => history.back());

const linkOf = (which: number) => cards().nth(which).getByRole('heading').getByRole('link');

async function openDeal(which: number): Promise<void> {
  await linkOf(which).click();
  await page.waitForURL(/\/deals\/[a-z0-9-]+$/, { waitUntil: 'commit' });
  await untilHydrated(page);
}

describe('a list that changes in place', () => {
  it('restores a list as the visitor left it, continues from there, and keeps its history', async () => {
    await openHydrated(page, '/deals');
    await type().selectOption('coupon');
    await comesTo('?type=coupon');
    await page.getByRole('link', { name: 'Page 2' }).click();
    await comesTo('?type=coupon&page=2');
    const shown = await cards().allTextContents();
    // A replaced list scrolls to its top shortly after the URL changes.
    await cards()
      .first()
      .evaluate(async (card) => {
        const isInView = () => card.getBoundingClientRect().top >= 0;
        // The smooth scroll has ended once nothing changes for ten frames.
        for (let still = 0, last = -1; still < 10 || !isInView(); last = scrollY) {
          await new Promise(requestAnimationFrame);
          still = scrollY === last ? still + 1 : 0;
        }
      });
    // Scrolls to the link first, because the click would otherwise scroll the page.
    await linkOf(4).scrollIntoViewIfNeeded();
    const scrolledTo = await page.evaluate(() => scrollY);
    expect(scrolledTo).toBeGreaterThan(0);
    await openDeal(4);

    await goBack();
    await comesTo('?type=coupon&page=2');
    expect(await isKept()).toBe(true);
    expect(await cards().allTextContents()).toEqual(shown);
    expect(await type().inputValue()).toBe('coupon');
    await page.waitForFunction((y) => Math.abs(scrollY - y) < 5, scrolledTo);

    await sort().selectOption('price_low');
    await comesTo('?type=coupon&sort=price_low');
    await page.getByText(/^(?:Showing 1–24|Page 1) of/).waitFor();
    await goBack();
    await comesTo('?type=coupon&page=2');
    await goBack();
    await comesTo('?type=coupon');
    await expect.poll(() => sort().inputValue()).toBe('newest');
    expect(await isKept()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('shows the list of the current URL if the page was left during a request', async () => {
    await openHydrated(page, '/deals?type=coupon');
    const release = await holdRequests(page, /sort=price_low/);
    await sort().selectOption('price_low');
    await page.getByText('Loading deals…').waitFor();
    await page.getByRole('link', { name: 'How we rank and earn' }).first().click();
    await page.waitForURL('**/how-we-rank', { waitUntil: 'commit' });
    await untilHydrated(page);
    release();
    await goBack();
    await comesTo('?type=coupon');
    await cards().first().waitFor();
    await expect.poll(() => sort().inputValue()).toBe('newest');
    expect(await page.locator('main [aria-busy=true]').count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

describe('a signed-in user’s list', () => {
  const hearts = () => page.locator('main').getByRole('button', { name: /^Favorite: / });

  it('keeps changed hearts when a list changes in place', async () => {
    await openStaffSession(page.context(), 'list-keeper');
    await openHydrated(page, '/deals?type=coupon');
    const openedAt = await page.evaluate(() => performance.timeOrigin);
    const name = (await hearts().first().getAttribute('aria-label')) ?? '';
    const heart = page.locator('main').getByRole('button', { name, exact: true });
    await heart.click();
    await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => heart.isEnabled()).toBe(true);
    await sort().selectOption('discount');
    await comesTo('?type=coupon&sort=discount');
    await sort().selectOption('newest');
    await comesTo('?type=coupon');
    await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('true');
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(openedAt);
    // The list has rendered the heart's card again by now, and the heart still works.
    await heart.click();
    await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('false');
    expect(complaints).toEqual([]);
  });

  it('shows the list as signed out with its next change, after sign-out in another tab', async () => {
    await openStaffSession(page.context(), 'list-leaver');
    await openHydrated(page, '/deals');
    await hearts().first().waitFor();
    await page.context().clearCookies();
    await type().selectOption('coupon');
    await comesTo('?type=coupon');
    await page.getByRole('link', { name: 'Sign In', exact: true }).waitFor();
    expect(await hearts().count()).toBe(0);
    expect(await page.locator('header').textContent()).not.toContain('list-leaver');
  });
});

it('loads each page of a list as a document if the browser has no navigation API', async () => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));
  await openHydrated(page, '/deals');
  expect(await page.evaluate(() => 'navigation' in window)).toBe(false);
  const openedAt = await page.evaluate(() => performance.timeOrigin);
  await type().selectOption('coupon');
  await comesTo('?type=coupon');
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(openedAt);
  await page.getByRole('link', { name: 'Page 2' }).click();
  await page.waitForURL('**/deals?type=coupon&page=2', { waitUntil: 'commit' });
  await untilHydrated(page);
  expect(await page.evaluate(() => performance.timeOrigin)).not.toBe(openedAt);
});
