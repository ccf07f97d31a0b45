import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newsletterLinkQuery } from '#app/features/newsletter/newsletter-link.server.ts';
import { useBrowser } from './open-browser.ts';
import { withShopDatabase } from './open-staff-session.ts';
import { openHydrated, untilHydrated } from './page-alive.ts';

const browser = useBrowser();

const stored = (page: Page, key: string) =>
  page.evaluate((name) => localStorage.getItem(name), key);

describe('P32: cookie preferences', () => {
  // Proves Back office 4: Cookie preferences: loaded, saved at once (cookie-toggles.tsx)
  // Proves Back office 5: Essential cookies stay on (cookie-toggles.tsx)
  it('turns analytics off by default, and stores cookie preferences immediately', async () => {
    const { page, complaints } = await browser.visit();
    await page.goto('/cookies');
    const toggle = (name: string) => page.getByRole('checkbox', { name });
    expect(await toggle('Essential').isChecked()).toBe(true);
    expect(await toggle('Essential').isDisabled()).toBe(true);
    expect(await toggle('Analytics').isChecked()).toBe(false);
    expect(await toggle('Marketing').isChecked()).toBe(false);
    expect(await toggle('Preferences').isChecked()).toBe(true);
    expect(await stored(page, 'cookie-preferences')).toBeNull();
    await toggle('Analytics').check();
    await page.getByText('Your choice is saved.').waitFor();
    expect(JSON.parse((await stored(page, 'cookie-preferences')) ?? '{}')).toEqual({
      essential: true,
      analytics: true,
      marketing: false,
      preferences: true,
    });
    await page.reload();
    await page.waitForSelector('[data-loaded]');
    expect(await toggle('Analytics').isChecked()).toBe(true);
    expect(complaints).toEqual([]);
  });

  // Proves P32: cookie preferences (cookie-preferences.ts)
  it('stores the theme if preference cookies are allowed, and deletes it if not', async () => {
    const { page, complaints } = await browser.visit({ colorScheme: 'light' });
    const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'));
    const switchTheme = () => page.getByRole('button', { name: /light and dark theme/ }).click();
    await page.goto('/cookies');
    await page.waitForSelector('[data-loaded]');
    await switchTheme();
    await page.waitForFunction(() => localStorage.getItem('theme') === 'dark');
    await page.getByRole('checkbox', { name: 'Preferences' }).uncheck();
    await page.getByText('Your choice is saved.').waitFor();
    expect(await stored(page, 'theme')).toBeNull();
    await switchTheme();
    await switchTheme();
    expect(await isDark()).toBe(true);
    await untilHydrated(page);
    expect(await stored(page, 'theme')).toBeNull();
    await page.reload();
    expect(await isDark()).toBe(false);
    expect(complaints).toEqual([]);
  });

  // Proves Back office 3: cookie preferences (cookie-preferences.ts)
  // Proves Back office 8: Cookie preferences: errors mean defaults (cookie-preferences.ts)
  it('ignores an invalid stored cookie preference', async () => {
    const { page } = await browser.visit();
    await page.goto('/cookies');
    await page.evaluate(() => localStorage.setItem('cookie-preferences', '{"analytics":"yes"'));
    await page.reload();
    await page.waitForSelector('[data-loaded]');
    expect(await page.getByRole('checkbox', { name: 'Analytics' }).isChecked()).toBe(false);
    expect(await page.getByRole('checkbox', { name: 'Preferences' }).isChecked()).toBe(true);
  });
});

describe('the connection', () => {
  // Proves Storefront 2: Connection badge and panel (connection-status.tsx)
  it('shows a failed connection in a panel, then in a badge once it is dismissed, until the connection is back', async () => {
    const { page } = await browser.visit();
    let isDown = false;
    await page.route('**/api/health', (route) => (isDown ? route.abort() : route.fallback()));
    const checked = page.waitForResponse('**/api/health');
    await page.goto('/about');
    await checked;
    const panel = page.getByRole('region', { name: 'Connection' });
    expect(await panel.count()).toBe(0);
    isDown = true;
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await panel.getByText('Connection Issue').waitFor();
    await panel.getByText('Connection failed').waitFor();
    await panel.getByText('Retry count: 1').waitFor();
    await panel.getByText(/^Last check: \d/).waitFor();
    await panel.getByRole('button', { name: 'Retry Connection' }).click();
    await panel.getByText('Retry count: 2').waitFor();
    await panel.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('Disconnected: Connection failed').waitFor();
    isDown = false;
    await page.getByRole('button', { name: 'Retry', exact: true }).click();
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByText('Connected', { exact: true }).waitFor({ state: 'detached' });
  });
});

describe('a visitor’s message', () => {
  // Proves Back office 2: Contact: column, form, "Message Sent!", "Send Another Message" (contact-page.tsx)
  // Proves Back office 4: Contact form: idle, sending, sent (contact-form.tsx)
  it('sends a visitor’s message with JavaScript, confirms it, and offers to write another', async () => {
    const { page, complaints } = await browser.visit();
    await page.goto('/contact');
    const main = page.locator('#main');
    await main.getByLabel('Name').fill('Ada');
    await main.getByLabel('Email').fill('ada@mail.example');
    await main.getByLabel('Subject').fill('A price');
    await main.getByLabel('Message', { exact: true }).fill('It costs less at the store.');
    await main.getByText('Verified').waitFor();
    await main.getByRole('button', { name: 'Send Message' }).click();
    await page.getByRole('heading', { name: 'Message Sent!' }).waitFor();
    await page.getByRole('link', { name: 'Send Another Message' }).click();
    await main.getByLabel('Message', { exact: true }).waitFor();
    expect(await main.getByLabel('Message', { exact: true }).inputValue()).toBe('');
    expect(complaints).toEqual([]);
  });
});

describe('the unsubscribe link in newsletter emails', () => {
  async function linkTo(kind: 'confirm' | 'unsubscribe'): Promise<string> {
    return withShopDatabase(async (db) => {
      const email = `${kind}-${Date.now()}@mail.example`;
      const row = await db
        .insertInto('newsletter_subscriptions')
        .values({ email, is_active: kind === 'unsubscribe' })
        .returningAll()
        .executeTakeFirstOrThrow();
      const path = kind === 'confirm' ? '/newsletter/confirm' : '/unsubscribe';
      return `${path}?${await newsletterLinkQuery(db, kind, row)}`;
    });
  }

  function watchPosts(page: Page): string[] {
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') posts.push(new URL(request.url()).pathname);
    });
    return posts;
  }

  // Proves Back office 4: Unsubscribe: loading, success, error, invalid (unsubscribe-page.tsx)
  it('unsubscribes immediately through an emailed link, and not again when the visitor returns to the page', async () => {
    const { page, complaints } = await browser.visit();
    const posts = watchPosts(page);
    let go = () => {};
    const held = new Promise<void>((resolve) => (go = resolve));
    await page.route('**/unsubscribe?*', async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.continue();
    });
    await page.goto('/about');
    await page.goto(await linkTo('unsubscribe'));
    await page.getByText('Processing...').waitFor();
    const button = page.getByRole('button', { name: 'Unsubscribe' });
    expect(await button.count()).toBe(0);
    go();
    await page.getByRole('heading', { name: 'Unsubscribed Successfully' }).waitFor();
    await page.goto('/help');
    await page.goBack();
    await button.waitFor();
    await page.goBack();
    await page.waitForURL('**/about');
    expect(posts).toEqual(['/unsubscribe']);
    expect(complaints).toEqual([]);
  });

  it('keeps the unsubscribe button if the response is lost', async () => {
    const { page } = await browser.visit();
    await page.route('**/unsubscribe?*', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    // The button may be visible briefly, until the page submits automatically.
    const lost = page.waitForEvent('requestfailed');
    await page.goto(await linkTo('unsubscribe'));
    await lost;
    const button = page.getByRole('button', { name: 'Unsubscribe' });
    await button.waitFor();
    await page.unrouteAll();
    await button.click();
    await page.getByRole('heading', { name: 'Unsubscribed Successfully' }).waitFor();
  });

  it('unsubscribes once if the button is clicked twice', async () => {
    const { page } = await browser.visit();
    const posts = watchPosts(page);
    await openHydrated(page, await linkTo('confirm'));
    const button = page.getByRole('button', { name: 'Confirm my subscription' });
    // Runs in one step, because a separate step would wait for the next page.
    const busy = await button.evaluate((pressed: HTMLButtonElement) => {
      pressed.click();
      pressed.click();
      return pressed.ariaBusy;
    });
    expect(busy).toBe('true');
    await page.getByRole('heading', { name: 'Subscription confirmed' }).waitFor();
    expect(posts).toEqual(['/newsletter/confirm']);
  });
});

describe('the FAQ', () => {
  it('filters the FAQ by category and text, and keeps both in the URL', async () => {
    const { page, complaints } = await browser.visit();
    await openHydrated(page, '/faq');
    await page.getByRole('link', { name: 'Shipping' }).click();
    await page.waitForURL('**/faq?category=shipping');
    await page.getByRole('searchbox', { name: 'Search the questions' }).fill('returns');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/faq?category=shipping&search=returns');
    await page.getByText('1 question found').waitFor();
    expect(await page.getByText('The store you buy from.').isVisible()).toBe(true);
    await page.getByRole('link', { name: 'Favorites', exact: true }).first().click();
    await page.getByText('No questions found').waitFor();
    expect(complaints).toEqual([]);
  });

  it('opens and searches the FAQ without JavaScript', async () => {
    const { page } = await browser.visit({ javaScriptEnabled: false });
    await page.goto('/help');
    await page.getByText('Read a price').click();
    expect(await page.getByText('The bold figure is what the deal costs now').isVisible()).toBe(
      true,
    );
    await page.getByRole('searchbox', { name: 'Search the help' }).fill('backup codes');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/help?search=backup+codes');
    expect(await page.getByText('1 answer for “backup codes”').isVisible()).toBe(true);
  });
});

it("R57: counts violations of a page's content policy", async () => {
  const { page, complaints } = await browser.visit();
  await page.goto('/faq?search=price');
  await page.evaluate(() => {
    const smuggled = document.createElement('script');
    smuggled.src = 'http://127.0.0.1:9/smuggled.js?who=me';
    document.head.append(smuggled);
  });
  const counted = () =>
    withShopDatabase((db) =>
      db.selectFrom('policy_reports').select(['directive', 'blocked', 'path', 'seen']).execute(),
    );
  await expect
    .poll(counted)
    .toEqual([
      { directive: 'script-src-elem', blocked: 'http://127.0.0.1:9', path: '/faq', seen: 1 },
    ]);
  expect(complaints.join()).toContain('Content Security Policy');
});

describe('the back link', () => {
  it('links from a missing page to the previous page', async () => {
    const { page } = await browser.visit();
    await page.goto('/about');
    await page.goto('/no-such-page');
    await page.getByRole('button', { name: 'Go Back' }).click();
    await page.waitForURL('**/about');
  });
});
