import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { holdRequests } from './hold-requests.ts';
import { useBrowser } from './open-browser.ts';
import { openHydrated, reloadHydrated } from './page-alive.ts';

const browser = useBrowser();

const cardsOf = (page: Page) => page.locator('main article');
/**
 * Follows a page link by keyboard. A click soon after a change would miss, because the list
 * scrolls.
 */
const follow = (pages: Locator, name: string) => pages.getByRole('link', { name }).press('Enter');

describe('a list of deals', () => {
  it('filters the list and updates the URL as soon as a filter is chosen, and keeps the scroll position', async () => {
    const { page, complaints } = await browser.visit();
    await openHydrated(page, '/categories');
    await openHydrated(page, '/deals');
    const before = await page.locator('main [role=status]').first().textContent();
    expect(before).toMatch(
      /^[\d,]+\+? deals(?: of [\d,]+ products)? from \d+ stores · \d+ expired$/,
    );

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

    // Each choice adds a history entry: Back returns to the previous list, and finally to the
    // previous page.
    await page.goBack();
    await page.waitForURL('**/deals?type=coupon&max=50&sort=price_low');
    await page.getByRole('link', { name: 'Clear Filters (2)' }).waitFor();
    expect(await page.getByLabel('Maximum price').inputValue()).toBe('50');
    await page.goBack();
    await page.waitForURL('**/deals?type=coupon&sort=price_low');
    await page.getByRole('link', { name: 'Clear Filters (1)' }).waitFor();
    expect(await page.getByLabel('Maximum price').inputValue()).toBe('');
    await page.goBack();
    await page.waitForURL('**/deals?type=coupon');
    await page.goBack();
    await page.waitForURL('**/deals');
    await pill.waitFor({ state: 'detached' });
    expect(await type.inputValue()).toBe('');
    await page.goBack();
    await page.waitForURL('**/categories');
    expect(complaints).toEqual([]);
  });

  it('keeps the text being typed while an earlier choice loads', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, '/deals');
    const release = await holdRequests(page, /\/deals\?sort=price_low$/);
    const asked = page.waitForRequest(/\/deals\?sort=price_low$/);
    await page.getByLabel('Sort', { exact: true }).selectOption('price_low');
    await asked;
    const most = page.getByLabel('Maximum price');
    await most.pressSequentially('150');
    await page.keyboard.press('ArrowLeft');
    release();
    await page.waitForURL('**/deals?sort=price_low');
    expect(await most.inputValue()).toBe('150');
    // The caret is still where the arrow key moved it.
    await page.keyboard.type('5');
    expect(await most.inputValue()).toBe('1550');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/deals?max=1550&sort=price_low');
    await page.getByRole('link', { name: 'Remove filter Up to $1,550' }).waitFor();
    await page.keyboard.type('0');
    expect(await most.inputValue()).toBe('15500');
  });

  it('loads only the last of several quick choices', async () => {
    const { page, complaints } = await browser.visit();
    await openHydrated(page, '/deals');
    const release = await holdRequests(page, /\/deals\?type=coupon$/);
    await page.getByLabel('Deal Type').selectOption('coupon');
    await page.getByText('Loading deals…').waitFor();
    const overtaken = page.waitForEvent('requestfailed');
    await page.getByLabel('Sort', { exact: true }).selectOption('price_low');
    await overtaken;
    await page.waitForURL('**/deals?type=coupon&sort=price_low');
    release();
    await page.getByLabel('Deal Type').selectOption('');
    await page.waitForURL('**/deals?sort=price_low');
    await page.getByRole('link', { name: 'Remove filter Coupon deals' }).waitFor({
      state: 'detached',
    });
    expect(await page.locator('main [aria-busy=true]').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('ignores an invalid price, explains why, and restores the current one on Escape', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, '/deals?max=150');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/deals?')) asked.push(request.url());
    });
    const most = page.getByLabel('Maximum price');
    await most.fill('cheap');
    await page.keyboard.press('Enter');
    expect(await most.evaluate((field: HTMLInputElement) => field.matches(':user-invalid'))).toBe(
      true,
    );
    await page.keyboard.press('Tab');
    expect(asked).toEqual([]);
    expect(await most.inputValue()).toBe('cheap');
    // Choosing another filter also ignores the invalid price.
    await page.getByLabel('Deal Type').selectOption('coupon');
    await page.waitForURL('**/deals?type=coupon&max=150');
    await page.getByRole('link', { name: 'Remove filter Coupon deals' }).waitFor();
    expect(await most.inputValue()).toBe('cheap');
    await most.focus();
    await page.keyboard.press('Escape');
    expect(await most.inputValue()).toBe('150');
  });

  it('keeps the focus on the pressed control, or moves it to the list if the control disappears', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, '/deals?type=coupon&max=150');
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    const next = page.getByRole('link', { name: 'Next page' });
    await next.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/deals?type=coupon&max=150&page=2');
    expect(await focused()).toMatch(/^(Next|Previous)$/);

    const clear = page.getByRole('link', { name: 'Clear Filters (2)' });
    await clear.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/deals');
    await clear.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-region'))).toBe(
      'list',
    );
  });

  it('announces the new number of deals to screen readers', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, '/deals');
    const status = page.locator('main [role=status]').first();
    await status.evaluate((element) => {
      const heard: string[] = [];
      Object.assign(window, { heard });
      const note = () => heard.push(element.textContent);
      new MutationObserver(note).observe(element, { characterData: true, subtree: true });
    });
    await page.getByLabel('Deal Type').selectOption('coupon');
    await page.waitForURL('**/deals?type=coupon');
    const heard = await page.evaluate(() => (window as never as { heard: string[] }).heard);
    expect(heard).toEqual([await status.textContent()]);
  });

  it('goes back and forward between a list’s pages, from other pages and after a reload', async () => {
    const { page, complaints } = await browser.visit();
    await openHydrated(page, '/categories');
    await openHydrated(page, '/deals');
    const pages = page.getByRole('navigation', { name: 'Pages of deals' });
    const shows = async (number: number) => {
      const current = pages.locator('[aria-current=page]', { hasText: new RegExp(`^${number}$`) });
      await current.waitFor();
      expect(new URL(page.url()).search).toBe(number === 1 ? '' : `?page=${number}`);
      await page.getByText(`Page ${number} of`).waitFor();
    };
    await follow(pages, 'Page 2');
    await shows(2);
    expect(await page.title()).toContain('page 2');
    await follow(pages, 'Next page');
    await shows(3);
    // Clicking a page link twice adds one history entry.
    await follow(pages, 'Page 3');
    await page.goBack();
    await shows(2);
    await reloadHydrated(page);
    await shows(2);
    await page.goBack();
    await shows(1);
    await page.goForward();
    await shows(2);
    await page.goForward();
    await shows(3);

    await cardsOf(page).first().getByRole('heading').getByRole('link').click();
    await page.waitForURL(/\/deals\/[a-z0-9-]+$/);
    await page.goBack();
    await shows(3);
    await page.goBack();
    await shows(2);
    await page.goBack();
    await shows(1);
    await page.goBack();
    await page.waitForURL('**/categories');
    expect(complaints).toEqual([]);
  });

  it('ignores a response that arrives after the visitor went back', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, '/deals');
    const pages = page.getByRole('navigation', { name: 'Pages of deals' });
    const current = (number: string) =>
      pages.locator('[aria-current=page]', { hasText: new RegExp(`^${number}$`) }).waitFor();
    await follow(pages, 'Page 2');
    await current('2');
    await follow(pages, 'Page 3');
    await current('3');
    await page.evaluate(() => {
      const ask = window.fetch;
      window.fetch = async (...asked) => {
        window.fetch = ask;
        const answer = await ask(...asked);
        const html = await answer.text();
        const gone = new Promise((go) =>
          navigation.addEventListener('currententrychange', go, { once: true }),
        );
        answer.text = async () => (await gone, html);
        document.documentElement.dataset['held'] = '';
        return answer;
      };
    });
    await follow(pages, 'Page 3');
    await page.locator('html[data-held]').waitFor();
    await page.goBack();
    await current('2');
    expect(await page.evaluate(() => navigation.canGoForward)).toBe(true);
    await page.goBack();
    await current('1');
  });

  it('redirects an old list URL, and offers alternatives if the list no longer exists', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, '/deals');
    const pages = page.getByRole('navigation', { name: 'Pages of deals' });
    const first = pages.getByRole('link', { name: 'Page 1', exact: true });
    const pointTo = (href: string) =>
      first.evaluate((link: HTMLAnchorElement, to) => void (link.href = to), href);
    await pointTo('/deals?sort=price-low');
    await first.press('Enter');
    await page.waitForURL('**/deals?sort=price_low');
    expect(await page.getByLabel('Sort', { exact: true }).inputValue()).toBe('price_low');

    await pointTo('/deals?sort=price_low&page=2000');
    await first.press('Enter');
    await page.waitForURL(/\/deals\?sort=price_low&page=\d\d?$/);
    expect(await page.getByRole('link', { name: 'Next page' }).count()).toBe(0);
    expect(await page.locator('nav [aria-current=page]').last().innerText()).toBe(
      new URL(page.url()).searchParams.get('page'),
    );

    await pointTo('/categories/nowhere');
    await first.press('Enter');
    await page.waitForURL('**/categories/nowhere');
    await page.getByRole('heading', { level: 1, name: 'Page Not Found' }).waitFor();
    await page.goBack();
    await page.waitForURL(/\/deals\?sort=price_low&page=\d\d?$/);
  });

  it('loads a new document if the script for list changes fails to load', async () => {
    const { page } = await browser.visit();
    await page.route('**/assets/swap-regions-*.js', (route) => route.abort());
    await openHydrated(page, '/deals');
    await page.getByLabel('Deal Type').selectOption('coupon');
    await page.waitForURL(/[?&]type=coupon/);
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.waitForURL(/page=2/);
    expect(await cardsOf(page).count()).toBeGreaterThan(0);
  });

  it('goes back even if the script for list changes later fails to load', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, '/deals');
    await page.getByRole('link', { name: 'Page 2' }).click();
    await page.getByText('Page 2 of').waitFor();
    await page.route('**/assets/swap-regions-*.js', (route) => route.abort());
    await reloadHydrated(page);
    await page.goBack();
    await page.getByText('Page 1 of').waitFor();
  });

  it('updates the list as soon as its delayed script has loaded', async () => {
    const { page } = await browser.visit();
    const release = await holdRequests(page, /\/assets\/swap-regions-[^/]*\.js$/);
    await openHydrated(page, '/deals');
    await page.getByLabel('Deal Type').selectOption('coupon');
    release();
    await page.waitForURL('**/deals?type=coupon');
    await page.getByRole('link', { name: 'Remove filter Coupon deals' }).waitFor();
  });

  it('keeps the filters when a category is chosen, and marks its chip', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, '/deals?type=coupon');
    const chips = page.getByRole('navigation', { name: 'Categories' }).getByRole('link');
    expect(await chips.first().getAttribute('aria-current')).toBe('page');
    const name = (await chips.nth(1).textContent()) ?? '';
    await chips.nth(1).click();
    await page.waitForURL(/\/categories\/[^?]+\?type=coupon$/);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    expect(await chips.nth(1).getAttribute('aria-current')).toBe('page');
  });

  it('sets rel=prev and rel=next on page links', async () => {
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
    expect(beyond?.status()).toBe(200);
    await page.waitForURL(/\/deals\?page=\d\d?$/);
    expect(await page.getByRole('link', { name: 'Next page' }).count()).toBe(0);
  });

  it('filters a list with its Apply button without JavaScript', async () => {
    const { page } = await browser.visit({ javaScriptEnabled: false });
    await page.goto('/deals');
    await page.getByLabel('Sort', { exact: true }).selectOption('price_high');
    await page.getByLabel('Minimum price').fill('100,00 $');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/min=100/);
    await page.getByText('From $100').waitFor();
    expect(await page.locator('head meta[name=robots]').getAttribute('content')).toBe(
      'noindex, follow',
    );
  });

  it('collapses the filters on a phone, with the sort order beside them', async () => {
    const { page } = await browser.visit({ viewport: { width: 390, height: 800 } });
    await openHydrated(page, '/deals?type=coupon');
    expect(await page.getByLabel('Product Status', { exact: true }).isVisible()).toBe(false);
    expect(await page.getByLabel('Sort', { exact: true }).isVisible()).toBe(true);
    await page.getByText('Filters (1)', { exact: true }).click();
    await page.getByLabel('Product Status', { exact: true }).selectOption('new');
    await page.waitForURL('**/deals?status=new&type=coupon');
    await page.getByText('Filters (2)', { exact: true }).waitFor();
    expect(await page.getByLabel('Product Status', { exact: true }).isVisible()).toBe(true);
    const live = /^(\d+) deals?/.exec(
      await page
        .locator('main')
        .getByText(/^\d+ deals from/)
        .innerText(),
    )?.[1];
    await page.getByRole('button', { name: `Show ${live} deals` }).click();
    expect(await page.getByLabel('Product Status', { exact: true }).isVisible()).toBe(false);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  });

  // Proves Storefront 2: Deals list: empty state (deal-list-section.tsx)
  it("shows the usual price on each card, as on the deal's page, without making cards taller on a phone", async () => {
    const { page, complaints } = await browser.visit({ viewport: { width: 390, height: 844 } });
    await page.goto('/deals');
    const cards = cardsOf(page);
    const known = cards.filter({ hasText: / usually \$/ });
    expect(await known.count()).toBeGreaterThan(12);
    const heights = () => cards.evaluateAll((all) => all.map((card) => card.clientHeight));
    const withIt = await heights();
    // A card's labels still fit in one row, however they are arranged.
    await page.locator('main article p[data-kind]').evaluateAll((lines) => {
      for (const line of lines) line.replaceChildren('Lowest in 87 days');
    });
    const without = await heights();
    expect(withIt.filter((height, n) => height > (without[n] ?? 0) + 1)).toEqual([]);

    await page.goto('/deals');
    const card = (await known.first().textContent()) ?? '';
    const [, usual = ''] = /usually (\$[\d,]+)/.exec(card) ?? [];
    await known.first().getByRole('heading').getByRole('link').click();
    const sentence = page.getByText(/It usually costs \$[\d,.]+; this price is/);
    await sentence.waitFor();
    expect(await sentence.textContent()).toContain(`It usually costs ${usual}`);
    expect(await sentence.textContent()).toMatch(/ (on|as on) \d+ of the \d+ days that we saw it/);
    expect(complaints).toEqual([]);
  });

  it('suggests what to do if no deal matches the filters', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, '/deals?min=9999999');
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
  it('shows the count of search results, and filters them by price', async () => {
    const { page, complaints } = await browser.visit();
    await openHydrated(page, '/deals');
    const title = (await cardsOf(page).first().getByRole('heading').textContent()) ?? '';
    const word = /[A-Za-z]{4,}/.exec(title)?.[0] ?? '';
    await openHydrated(page, `/deals?search=${word}`);
    await page.getByText(/^Found [\d,]+\+? results?$/).waitFor();
    expect(await page.getByLabel('Sort', { exact: true }).locator('option').count()).toBe(7);
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

  it('corrects a typing error in a search and offers the original text', async () => {
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
