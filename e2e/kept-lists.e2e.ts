import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { holdRequests } from './hold-requests.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession } from './open-staff-session.ts';
import { openAlive, untilAlive } from './page-alive.ts';

// Lists that were changed in place and left, for a browser that keeps pages in its memory.

const browser = useBrowser({ keepsPages: true });
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
/** No document loads then, which `waitForURL` would wait for after a return from the browser's memory. */
const comesTo = (search: string) =>
  page.waitForFunction((expected) => location.search === expected, search);
const goBack = () => page.evaluate(() => history.back());

const linkOf = (which: number) => cards().nth(which).getByRole('heading').getByRole('link');

async function openDeal(which: number): Promise<void> {
  await linkOf(which).click();
  await page.waitForURL(/\/deals\/[a-z0-9-]+$/, { waitUntil: 'commit' });
  await untilAlive(page);
}

describe('a list that was changed in place', () => {
  it('comes back as it was left, goes on from there, and knows the way it came', async () => {
    await openAlive(page, '/deals');
    await type().selectOption('coupon');
    await comesTo('?type=coupon');
    await page.getByRole('link', { name: 'Page 2' }).click();
    await comesTo('?type=coupon&page=2');
    const shown = await cards().allTextContents();
    // A list in place of another scrolls to its top a moment after its address is there.
    await cards()
      .first()
      .evaluate(async (card) => {
        const isInView = () => card.getBoundingClientRect().top >= 0;
        while (!isInView()) await new Promise(requestAnimationFrame);
      });
    // The link itself, or the click would scroll on to it.
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
    await page.getByText('Showing 1–24 of').waitFor();
    await goBack();
    await comesTo('?type=coupon');
    await expect.poll(() => sort().inputValue()).toBe('newest');
    expect(await isKept()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('left while something else was asked for, shows what its address says', async () => {
    await openAlive(page, '/deals?type=coupon');
    const release = await holdRequests(page, /sort=price_low/);
    await sort().selectOption('price_low');
    await page.getByText('Loading deals…').waitFor();
    await page.getByRole('link', { name: 'How we rank and earn' }).first().click();
    await page.waitForURL('**/how-we-rank', { waitUntil: 'commit' });
    await untilAlive(page);
    release();
    await goBack();
    await comesTo('?type=coupon');
    await cards().first().waitFor();
    await expect.poll(() => sort().inputValue()).toBe('newest');
    expect(await page.locator('main [aria-busy=true]').count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

describe('a list of somebody who is signed in', () => {
  const hearts = () => page.locator('main').getByRole('button', { name: /^Favorite: / });

  it('keeps its turned hearts in place', async () => {
    await openStaffSession(page.context(), 'list-keeper');
    await openAlive(page, '/deals?type=coupon');
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
    // It turns back from there, on a card that is another element by now.
    await heart.click();
    await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('false');
    expect(complaints).toEqual([]);
  });

  it('is a stranger’s with its next change, once they signed out in another tab', async () => {
    await openStaffSession(page.context(), 'list-leaver');
    await openAlive(page, '/deals');
    await hearts().first().waitFor();
    await page.context().clearCookies();
    await type().selectOption('coupon');
    await comesTo('?type=coupon');
    await page.getByRole('link', { name: 'Sign In', exact: true }).waitFor();
    expect(await hearts().count()).toBe(0);
    expect(await page.locator('header').textContent()).not.toContain('list-leaver');
  });
});

it('where a browser cannot say that it goes back in place, a page of a list is a document', async () => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));
  await openAlive(page, '/deals');
  expect(await page.evaluate(() => 'navigation' in window)).toBe(false);
  const openedAt = await page.evaluate(() => performance.timeOrigin);
  await type().selectOption('coupon');
  await comesTo('?type=coupon');
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(openedAt);
  await page.getByRole('link', { name: 'Page 2' }).click();
  await page.waitForURL('**/deals?type=coupon&page=2', { waitUntil: 'commit' });
  await untilAlive(page);
  expect(await page.evaluate(() => performance.timeOrigin)).not.toBe(openedAt);
});
