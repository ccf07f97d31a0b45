import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from './open-browser.ts';
import { openAlive } from './page-alive.ts';

const browser = useBrowser();

const cardsOf = (page: Page) => page.locator('main article');

describe('a list of deals', () => {
  it('filters as soon as a choice is made, in the address, without losing the place', async () => {
    const { page, complaints } = await browser.visit();
    await openAlive(page, '/categories');
    await openAlive(page, '/deals');
    const before = await page.locator('main [role=status]').first().textContent();
    expect(before).toMatch(/^[\d,]+\+? deals from \d+ stores$/);

    const type = page.getByLabel('Deal Type');
    await type.focus();
    await type.selectOption('coupon');
    await page.waitForURL('**/deals?type=coupon');
    const pill = page.getByRole('link', { name: 'Remove filter Coupon deals' });
    await pill.waitFor();
    expect(await type.evaluate((select) => select === document.activeElement)).toBe(true);
    expect(await page.locator('main [role=status]').first().textContent()).not.toBe(before);
    expect(await cardsOf(page).count()).toBe(await cardsOf(page).locator('code').count());
    expect(await page.getByRole('button', { name: 'Apply' }).isVisible()).toBe(false);

    await page.getByLabel('Sort', { exact: true }).selectOption('price_low');
    await page.waitForURL('**/deals?type=coupon&sort=price_low');
    await page.getByLabel('Maximum price').fill('50');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/deals?type=coupon&max=50&sort=price_low');
    await page.getByRole('link', { name: 'Clear Filters (2)' }).click();
    await page.waitForURL('**/deals?sort=price_low');
    await pill.waitFor({ state: 'detached' });
    expect(await type.inputValue()).toBe('');
    expect(await page.getByLabel('Maximum price').inputValue()).toBe('');

    // Filtering replaces the address: one step back leaves the list.
    await page.goBack();
    await page.waitForURL('**/categories');
    expect(complaints).toEqual([]);
  });

  it('keeps what is typed while the choice before it is on its way', async () => {
    const { page } = await browser.visit();
    await openAlive(page, '/deals');
    await page.route('**/*.data?**', async (route) => {
      await new Promise((done) => setTimeout(done, 700));
      await route.fallback();
    });
    await page.getByLabel('Sort', { exact: true }).selectOption('price_low');
    await page.getByLabel('Maximum price').fill('50');
    await page.waitForURL('**/deals?sort=price_low');
    await page.waitForTimeout(300); // until the page shows it
    expect(await page.getByLabel('Maximum price').inputValue()).toBe('50');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/deals?max=50&sort=price_low');
  });

  it('takes the filters along to a category, whose chip is marked', async () => {
    const { page } = await browser.visit();
    await openAlive(page, '/deals?type=coupon');
    const chips = page.getByRole('navigation', { name: 'Categories' }).getByRole('link');
    expect(await chips.first().getAttribute('aria-current')).toBe('page');
    const name = (await chips.nth(1).textContent()) ?? '';
    await chips.nth(1).click();
    await page.waitForURL(/\/categories\/[^?]+\?type=coupon$/);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    expect(await chips.nth(1).getAttribute('aria-current')).toBe('page');
  });

  it('is paged by links that know their neighbours', async () => {
    const { page } = await browser.visit({ javaScriptEnabled: false });
    await page.goto('/deals');
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.waitForURL('**/deals?page=2');
    expect(await page.locator('head link[rel=prev]').getAttribute('href')).toMatch(/\/deals$/);
    expect(await page.locator('head link[rel=canonical]').getAttribute('href')).toMatch(
      /\?page=2$/,
    );
    expect(await page.locator('nav [aria-current=page]', { hasText: /^2$/ }).count()).toBe(1);

    const beyond = await page.goto('/deals?page=499');
    expect(beyond?.status()).toBe(404);
    await page.getByRole('link', { name: 'Go to the First Page' }).click();
    await page.waitForURL('**/deals');
  });

  it('filters without script by its Apply button', async () => {
    const { page } = await browser.visit({ javaScriptEnabled: false });
    await page.goto('/deals');
    await page.getByLabel('Sort', { exact: true }).selectOption('price_high');
    await page.getByLabel('Minimum price').fill('100');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/min=100/);
    await page.getByText('From $100').waitFor();
    expect(await page.locator('head meta[name=robots]').getAttribute('content')).toBe(
      'noindex, follow',
    );
  });

  it('folds its filters away on a phone, with the order beside them', async () => {
    const { page } = await browser.visit({ viewport: { width: 390, height: 800 } });
    await openAlive(page, '/deals?type=coupon');
    expect(await page.getByLabel('Status', { exact: true }).isVisible()).toBe(false);
    expect(await page.getByLabel('Sort', { exact: true }).isVisible()).toBe(true);
    await page.getByText('Filters (1)', { exact: true }).click();
    await page.getByLabel('Status', { exact: true }).selectOption('new');
    await page.waitForURL('**/deals?status=new&type=coupon');
    await page.getByText('Filters (2)', { exact: true }).waitFor();
    expect(await page.getByLabel('Status', { exact: true }).isVisible()).toBe(true);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  });

  // Proves Storefront 2: Deals list: empty state (deal-list-section.tsx)
  it('says what to do when the filters leave nothing', async () => {
    const { page } = await browser.visit();
    await openAlive(page, '/deals?min=9999999');
    await page.getByRole('heading', { name: 'No deals found' }).waitFor();
    await page
      .getByText('Try adjusting your search criteria or browse different categories.')
      .waitFor();
    await page.getByRole('link', { name: 'Clear Filters', exact: true }).click();
    await page.waitForURL('**/deals');
    await cardsOf(page).first().waitFor();
    expect(await page.getByText('No deals found').count()).toBe(0);
  });
});

describe('the results of a search', () => {
  it('counts what it found, and narrows by price', async () => {
    const { page, complaints } = await browser.visit();
    await openAlive(page, '/deals');
    const title = (await cardsOf(page).first().getByRole('heading').textContent()) ?? '';
    const word = /[A-Za-z]{4,}/.exec(title)?.[0] ?? '';
    await openAlive(page, `/deals?search=${word}`);
    await page.getByText(/^Found [\d,]+\+? results?$/).waitFor();
    expect(await page.getByLabel('Sort', { exact: true }).locator('option').count()).toBe(5);
    await page.getByLabel('Minimum price').fill('1');
    await page.getByLabel('Sort', { exact: true }).selectOption('price_low');
    await page.waitForURL(`**/deals?search=${word}&min=1&sort=price_low`);
    await page.getByRole('link', { name: 'Clear Filters (1)' }).click();
    await page.waitForURL(`**/deals?search=${word}&sort=price_low`);
    const categories = page.getByLabel('Category', { exact: true });
    const category = (await categories.locator('option').nth(1).getAttribute('value')) ?? '';
    await categories.selectOption(category);
    await page.waitForURL(`**/deals?search=${word}&category=${category}&sort=price_low`);
    await page.getByRole('link', { name: 'Clear Filters (1)' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('mends a typing error and offers what was typed', async () => {
    const { page } = await browser.visit();
    await page.goto('/deals?search=hedphones');
    await page.getByText('Showing results for headphones.').waitFor();
    await page.getByRole('link', { name: 'hedphones' }).click();
    await page.waitForURL('**/deals?search=hedphones&exact=1');
    await page.getByRole('heading', { name: 'No results found' }).waitFor();
    for (const tip of [
      'Check your spelling',
      'Try different keywords',
      'Use a more general term',
    ]) {
      expect(await page.getByText(tip).count()).toBe(1);
    }
    expect(
      await page.getByRole('region', { name: 'Popular searches' }).getByRole('link').count(),
    ).toBeGreaterThan(0);
  });
});
