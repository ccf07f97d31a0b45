import type { Page, Request } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { fetchOnce } from './fetch-once.ts';
import { holdRequests } from './hold-requests.ts';
import { useBrowser } from './open-browser.ts';
import { openHydrated } from './page-alive.ts';

const browser = useBrowser();

const boxOf = (page: Page) => page.locator('#header-search');
const optionsOf = (page: Page) => page.locator('#header-search-list [role=option]');
const highlightedOf = (page: Page) => page.locator('#header-search-list [aria-selected=true]');

/** A word that is always in the demo shop: the name of its largest category. */
async function aKnownWord(): Promise<string> {
  const answer = await fetchOnce(`${inject('origin')}/api/popular-searches`);
  return /"text":"([^"]+)"/.exec(await answer.text())?.[1] ?? '';
}

/**
 * Emulates a connection that the browser reports as slow, so that the search box loads nothing
 * before the first interaction.
 */
/** Full Chromium assumes that a new connection is slow, headless Chromium that it is fast. */
async function visitByLine(line: { downlink: number; rtt: number }) {
  const visitor = await browser.visit();
  await visitor.page.addInitScript((connection) => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: false, ...connection } });
  }, line);
  return visitor;
}

const visitBySlowLine = () => visitByLine({ downlink: 1.5, rtt: 150 });

async function visitHome() {
  const visitor = await visitByLine({ downlink: 10, rtt: 50 });
  await openHydrated(visitor.page, '/');
  return visitor;
}

describe('the search box', () => {
  // Proves Storefront 2: Suggestions: arrows, Up from the first returns to no highlight, Enter (search-box.tsx)
  it('suggests completions after two typed characters, and searches for the one highlighted with arrow keys', async () => {
    const { page, complaints } = await visitHome();
    const word = await aKnownWord();
    await boxOf(page).pressSequentially(word.slice(0, 1));
    await page.getByRole('button', { name: `Search for "${word.slice(0, 1)}"` }).waitFor();
    expect(await optionsOf(page).count()).toBe(0);

    await boxOf(page).pressSequentially(word.slice(1, 4));
    await optionsOf(page).first().waitFor();
    expect(await boxOf(page).getAttribute('aria-expanded')).toBe('true');
    expect(await highlightedOf(page).count()).toBe(0);

    await page.keyboard.press('ArrowDown');
    const first = await highlightedOf(page).getAttribute('id');
    expect(await boxOf(page).getAttribute('aria-activedescendant')).toBe(first);
    await page.keyboard.press('ArrowUp');
    expect(await highlightedOf(page).count()).toBe(0);
    expect(await boxOf(page).getAttribute('aria-activedescendant')).toBeNull();

    const last = (await optionsOf(page).count()) - 1;
    for (let step = 0; step < last + 3; step++) await page.keyboard.press('ArrowDown');
    expect(await optionsOf(page).nth(last).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/deals\?search=/);
    const searched = new URL(page.url()).searchParams.get('search') ?? '';
    await page
      .getByRole('heading', { level: 1, name: `Search Results for "${searched}"` })
      .waitFor();
    expect(await boxOf(page).inputValue()).toBe(searched);
    expect(await optionsOf(page).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  // Proves Storefront 2: Suggestions: Enter without a highlight searches the text (search-box.tsx)
  it('searches for the typed text if no suggestion is highlighted', async () => {
    const { page } = await visitHome();
    const word = await aKnownWord();
    await boxOf(page).fill(word);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/deals?search=*');
    expect(new URL(page.url()).searchParams.get('search')).toBe(word);
  });

  // Proves Storefront 2: Suggestions: Escape and a click outside close (search-box.tsx)
  it('closes suggestions on Escape and on a click outside, and keeps the text', async () => {
    const { page } = await visitHome();
    const word = (await aKnownWord()).slice(0, 4);
    await boxOf(page).pressSequentially(word);
    await optionsOf(page).first().waitFor();
    await page.keyboard.press('Escape');
    expect(await optionsOf(page).count()).toBe(0);
    expect(await boxOf(page).inputValue()).toBe(word);

    await page.keyboard.press('ArrowDown');
    await optionsOf(page).first().waitFor();
    await page.locator('footer').click({ position: { x: 2, y: 2 } });
    expect(await optionsOf(page).count()).toBe(0);
  });

  it('clears the search box on a second Escape, or with a button that appears once text is typed', async () => {
    const { page, complaints } = await visitHome();
    const clear = page.locator('header').getByRole('button', { name: 'Clear search' }).first();
    await boxOf(page).focus();
    expect(await clear.isVisible()).toBe(false);
    await boxOf(page).pressSequentially('lamp');
    expect(await clear.isVisible()).toBe(true);
    await clear.click();
    expect(await boxOf(page).inputValue()).toBe('');
    expect(await clear.isVisible()).toBe(false);
    expect(await boxOf(page).evaluate((box) => box === document.activeElement)).toBe(true);
    await page.getByRole('listbox', { name: 'Popular searches' }).waitFor();

    await boxOf(page).pressSequentially('desk');
    await page.keyboard.press('Escape');
    expect(await boxOf(page).inputValue()).toBe('desk');
    await page.keyboard.press('Escape');
    expect(await boxOf(page).inputValue()).toBe('');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).pathname).toBe('/');

    // The text from the URL is cleared as well.
    await openHydrated(page, '/deals?search=lamp');
    await boxOf(page).focus();
    await clear.click();
    expect(await boxOf(page).inputValue()).toBe('');
    expect(complaints).toEqual([]);
  });

  // Proves Storefront 2: Suggestions: "No suggestions found", search anyway (search-popup.tsx)
  it('shows that there are no suggestions, and offers to search anyway', async () => {
    const { page } = await visitHome();
    await boxOf(page).pressSequentially('zqxjv');
    await page.getByText('No suggestions found').waitFor();
    await page.getByRole('button', { name: 'Search for "zqxjv"' }).click();
    await page.getByRole('heading', { name: 'No results found' }).waitFor();
    expect(new URL(page.url()).search).toBe('?search=zqxjv');
  });

  // Proves Storefront 2: Suggestions: choosing leads to /deals?search= (search-box.tsx)
  // Proves Storefront 9: Popular searches: 5 shown (search-popup.tsx)
  it('offers at most five popular searches in an empty search box, and selects one on a click', async () => {
    const { page } = await visitHome();
    await boxOf(page).click();
    await page.getByRole('listbox', { name: 'Popular searches' }).waitFor();
    const count = await optionsOf(page).count();
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(5);
    await optionsOf(page).first().click();
    await page.waitForURL(`**/deals?${new URLSearchParams({ search: await aKnownWord() })}`);
  });

  // Proves Design: Keyboard of the search box (search-box.tsx)
  it('focuses the search box on `/`, except while a user is typing', async () => {
    const { page } = await visitHome();
    await page.keyboard.press('/');
    expect(await boxOf(page).evaluate((box) => box === document.activeElement)).toBe(true);
    await page.keyboard.press('/');
    expect(await boxOf(page).inputValue()).toBe('/');
  });

  // Proves Storefront 8: Suggestion failure: nothing shown, logged (suggest-route.ts)
  it('shows no suggestions if they fail to load, and still searches', async () => {
    const { page } = await visitHome();
    const asked = page.waitForEvent('requestfailed', (request) =>
      request.url().includes('/api/suggest'),
    );
    await page.route('**/api/suggest**', (route) => route.abort());
    await boxOf(page).pressSequentially('lamp');
    await asked;
    await page.getByText('Searching...').waitFor({ state: 'detached' });
    expect(await page.getByText('No suggestions found').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/deals?search=lamp');
  });

  it('keeps text typed before the search box hydrates, and then suggests completions, even on a slow connection', async () => {
    const { page, complaints } = await visitBySlowLine();
    const release = await holdRequests(page, /\/assets\/[^/]+\.js$/);
    await page.goto('/', { waitUntil: 'commit' });
    const typed = (await aKnownWord()).slice(0, 4);
    await boxOf(page).pressSequentially(typed);
    await page.keyboard.press('ArrowLeft');
    release();
    await optionsOf(page).first().waitFor();
    expect(await boxOf(page).inputValue()).toBe(typed);
    expect(
      await boxOf(page).evaluate((box) => box instanceof HTMLInputElement && box.selectionStart),
    ).toBe(typed.length - 1);
    expect(complaints).toEqual([]);
  });

  it('searches for the typed text when Enter is pressed during hydration', async () => {
    const { page } = await visitBySlowLine();
    await page.addInitScript(() => {
      const submit = (box: Element | null) => box?.closest('form')?.requestSubmit();
      // Other islands may hydrate in the same batch.
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          if (target instanceof Element) submit(target.querySelector('#header-search'));
        }
      }).observe(document, { subtree: true, attributeFilter: ['data-awake'] });
    });
    // The search box must not hydrate before the text is typed.
    const release = await holdRequests(page, /\/assets\/search-box-[^/]+\.js$/);
    await openHydrated(page, '/');
    await boxOf(page).fill('lamp');
    release();
    await page.waitForURL('**/deals?search=lamp');
  });

  it('loads all scripts of the search box in parallel, on the first interaction on a slow connection', async () => {
    const { page } = await visitBySlowLine();
    const log: string[] = [];
    const note = (what: string) => (request: Request) => {
      if (request.resourceType() === 'script') log.push(`${what} ${request.url()}`);
    };
    page.on('request', note('asked'));
    page.on('requestfinished', note('answered'));
    await openHydrated(page, '/');
    log.length = 0;
    await page.getByRole('heading', { level: 1 }).hover();
    // Holds every script, so that none loads before all of them are requested.
    const release = await holdRequests(page, /\/assets\/[^/]+\.js$/);
    await boxOf(page).hover();
    await expect.poll(() => log.join()).toContain('search-box-');
    expect(log.join()).not.toContain('answered');
    release();
    await boxOf(page).focus();
    await page.getByRole('listbox', { name: 'Popular searches' }).waitFor();
    const asked = log.filter((line) => line.startsWith('asked'));
    expect(asked.join()).toContain('react-');
    const whenAnswered = log.findIndex((line) => line.startsWith('answered'));
    expect(whenAnswered).toBeGreaterThan(0);
    expect(log.slice(whenAnswered).filter((line) => asked.includes(line))).toEqual([]);
  });

  it('hydrates the search box before any interaction on a fast connection, except the one in the closed menu', async () => {
    const { page } = await visitHome();
    const awake = (id: string) => page.locator(`deal-island[data-awake]:has(#${id})`).count();
    await expect.poll(() => awake('header-search')).toBe(1);
    expect(await awake('menu-search')).toBe(0);
  });

  it('requests suggestions while the search box’s script is loading, and shows them once it has loaded', async () => {
    const { page, complaints } = await visitBySlowLine();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/suggest')) asked.push(request.url());
    });
    await openHydrated(page, '/');
    const release = await holdRequests(page, /\/assets\/search-box-[^/]+\.js$/);
    const typed = (await aKnownWord()).slice(0, 4);
    await boxOf(page).pressSequentially(typed);
    await expect.poll(() => asked.length).toBe(1);
    expect(asked[0]).toContain(`q=${encodeURIComponent(typed)}`);
    release();
    await optionsOf(page).first().waitFor();
    expect(asked).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  it('keeps text that an input method is composing during hydration', async () => {
    const { page, complaints } = await visitBySlowLine();
    await openHydrated(page, '/');
    const release = await holdRequests(page, /\/assets\/search-box-[^/]+\.js$/);
    await boxOf(page).click();
    const tools = await page.context().newCDPSession(page);
    const compose = (text: string) =>
      tools.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    await compose('に');
    await compose('にほ');
    release();
    await page.locator('deal-island[data-awake]:has(#header-search)').waitFor();
    expect(await boxOf(page).inputValue()).toBe('にほ');
    await compose('にほん');
    expect(await boxOf(page).inputValue()).toBe('にほん');
    await tools.send('Input.insertText', { text: '日本' });
    expect(await boxOf(page).inputValue()).toBe('日本');
    await page.getByText('No suggestions found').waitFor();
    expect(complaints).toEqual([]);
  });

  it('searches on Enter before, during and after hydration, and without its script', async () => {
    const { page } = await visitBySlowLine();
    const release = await holdRequests(page, /\/assets\/search-box-[^/]+\.js$/);
    await openHydrated(page, '/');
    await boxOf(page).pressSequentially('lamp');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/deals?search=lamp');
    release();
    await page.route('**/assets/search-box-*.js', (route) => route.abort());
    await openHydrated(page, '/');
    await boxOf(page).pressSequentially('desk');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/deals?search=desk');
  });

  it.each([true, false])(
    'widens the search box over the whole header on a phone while a visitor types (scripts: %s)',
    async (scripts) => {
      const { page } = await browser.visit({
        viewport: { width: 390, height: 844 },
        javaScriptEnabled: scripts,
      });
      if (scripts) await openHydrated(page, '/deals');
      else await page.goto('/deals');
      await boxOf(page).focus();
      const box = await boxOf(page).boundingBox();
      expect(box?.width).toBeGreaterThan(250);
      if (!scripts) return;
      await boxOf(page).pressSequentially((await aKnownWord()).slice(0, 3));
      await optionsOf(page).first().waitFor();
      const popup = optionsOf(page).first().locator('xpath=ancestor::*[@role="presentation"]');
      expect(await popup.boundingBox()).toMatchObject({ x: 0, width: 390 });
      const bottom = (await popup.boundingBox()) ?? { y: 0, height: 0 };
      expect(bottom.y + bottom.height).toBeGreaterThanOrEqual(844);
      await page.getByRole('banner').getByRole('button', { name: 'Clear search' }).first().click();
      expect(await boxOf(page).inputValue()).toBe('');
      expect(await boxOf(page).evaluate((field) => field === document.activeElement)).toBe(true);
      // A tap outside the suggestions restores the header.
      await page.mouse.click(195, 800);
      await page.getByRole('banner').getByLabel('Menu', { exact: true }).first().click();
    },
  );

  it('renders the search box as a plain form without JavaScript', async () => {
    const { page } = await browser.visit({ javaScriptEnabled: false });
    await page.goto('/');
    await boxOf(page).fill('zqxjv');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/deals?search=zqxjv');
    expect(await boxOf(page).inputValue()).toBe('zqxjv');
  });
});
