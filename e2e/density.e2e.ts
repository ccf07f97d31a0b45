import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBrowser } from './open-browser.ts';
import { openHydrated } from './page-alive.ts';

const browser = useBrowser({ showsPictures: true });

const isCompact = (page: Page) =>
  page.evaluate(() => document.documentElement.classList.contains('compact'));
const stored = (page: Page) => page.evaluate(() => localStorage.getItem('density'));
const toCompact = (page: Page) => page.getByRole('button', { name: 'Switch to compact view' });
const toComfortable = (page: Page) =>
  page.getByRole('button', { name: 'Switch to comfortable view' });

/** Measures the first picture of a list, and the distance from the top to its tenth price. */
function measure(page: Page) {
  return page.evaluate(() => {
    const prices = [...document.querySelectorAll('main article strong')].filter(
      (price) => price.getBoundingClientRect().height > 0,
    );
    const [price] = prices;
    const size = (part: Element | null | undefined) =>
      part ? Number.parseFloat(getComputedStyle(part).fontSize) : 0;
    return {
      picture: document.querySelector('main article img')?.getBoundingClientRect().height ?? 0,
      depth: (prices[9]?.getBoundingClientRect().bottom ?? Infinity) + scrollY,
      priceSize: size(price),
      titleSize: size(document.querySelector('main article h2')),
      overflow: document.documentElement.scrollWidth - innerWidth,
    };
  });
}

describe('the density of lists', () => {
  it.each([
    [1280, 800],
    [1920, 1080],
    [390, 844],
  ])('shows more deals with smaller pictures at %i × %i', async (width, height) => {
    const { page, complaints } = await browser.visit({ viewport: { width, height } });
    await openHydrated(page, '/deals');
    const before = await measure(page);
    await toCompact(page).click();
    const after = await measure(page);
    expect(after.picture).toBeLessThan(before.picture * 0.65);
    expect(after.depth).toBeLessThan(before.depth * 0.9);
    expect(after.priceSize).toBeGreaterThanOrEqual(20);
    expect(after.titleSize).toBe(before.titleSize);
    expect(after.overflow).toBe(0);
    await toComfortable(page).click();
    expect(await measure(page)).toEqual(before);
    expect(complaints).toEqual([]);
  });

  it.each([
    [1280, 800],
    [1920, 1080],
    [390, 844],
  ])('shows the density switch beside the sort order at %i × %i', async (width, height) => {
    const { page } = await browser.visit({ viewport: { width, height } });
    for (const address of ['/deals', '/deals?search=lamp&status=new&min=5']) {
      await openHydrated(page, address);
      const order = await page.getByLabel('Sort', { exact: true }).boundingBox();
      const toggle = await toCompact(page).boundingBox();
      if (!order || !toggle) throw new Error('Not shown.');
      const middle = (box: { y: number; height: number }) => box.y + box.height / 2;
      expect(Math.abs(middle(order) - middle(toggle))).toBeLessThan(3);
      expect(toggle.x).toBeGreaterThan(order.x + order.width);
      expect(toggle.x + toggle.width).toBeLessThanOrEqual(width - 16);
    }
  });

  it('shows "All" and "Relevance" in full beside a long filter value', async () => {
    const { page } = await browser.visit({ viewport: { width: 1280, height: 800 } });
    await openHydrated(page, '/deals?search=lamp&status=new&min=5');
    const cut = await page
      .getByRole('form', { name: 'Filters' })
      .locator('select:visible:not([name=status])')
      .evaluateAll((all) => {
        const ruler = document.createElement('canvas').getContext('2d');
        const arrow = 20; // pixels, as Chromium renders it
        return all.flatMap((one) => {
          const { font, paddingLeft, paddingRight } = getComputedStyle(one);
          if (ruler) ruler.font = font;
          const text = (one as HTMLSelectElement).selectedOptions[0]?.label ?? '';
          const needed = (ruler?.measureText(text).width ?? Infinity) + arrow;
          const given =
            one.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
          return given >= needed - 1 ? [] : [`${text}: ${given} of ${needed}`];
        });
      });
    expect(cut).toEqual([]);
  });

  it('switches the density by keyboard, and stores it for later lists', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, '/deals');
    expect(await stored(page)).toBeNull();
    await toCompact(page).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => stored(page)).toBe('compact');
    await openHydrated(page, '/categories');
    await page.locator('main a[href^="/categories/"]').first().click();
    await toComfortable(page).waitFor();
    expect(await isCompact(page)).toBe(true);
    await toComfortable(page).focus();
    await page.keyboard.press('Space');
    await expect.poll(() => stored(page)).toBe('comfortable');
    await page.reload();
    expect(await isCompact(page)).toBe(false);
  });

  it('applies the density before the first paint, even if all scripts are delayed', async () => {
    const { page } = await browser.visit();
    await page.goto('/deals');
    await page.evaluate(() => localStorage.setItem('density', 'compact'));
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto('/deals', { waitUntil: 'domcontentloaded' });
    expect(await isCompact(page)).toBe(true);
    expect(await toComfortable(page).isVisible()).toBe(true);
  });

  it('deletes the stored density when the visitor rejects preference cookies, and applies a new one to the current page only', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, '/deals');
    await toCompact(page).click();
    await expect.poll(() => stored(page)).toBe('compact');
    await page.goto('/cookies');
    await page.waitForSelector('[data-loaded]');
    await page.getByRole('checkbox', { name: 'Preferences' }).uncheck();
    await page.getByText('Your choice is saved.').waitFor();
    expect(await stored(page)).toBeNull();
    await openHydrated(page, '/deals');
    expect(await isCompact(page)).toBe(false);
    await toCompact(page).click();
    expect(await isCompact(page)).toBe(true);
    await page.waitForLoadState('networkidle');
    expect(await stored(page)).toBeNull();
  });

  it('hides the density switch without JavaScript', async () => {
    const { page } = await browser.visit({ javaScriptEnabled: false });
    await page.goto('/deals');
    expect(await page.locator('[data-act=density]').count()).toBe(1);
    expect(await page.locator('[data-act=density]').isVisible()).toBe(false);
  });
});
