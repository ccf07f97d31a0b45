import type { Locator, Page, Route } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStaffSession } from './open-staff-session.ts';
import { useBrowser } from './open-browser.ts';
import { openHydrated, reloadHydrated } from './page-alive.ts';

const browser = useBrowser();
let page: Page;
let complaints: string[];

beforeEach(async () => {
  ({ page, complaints } = await browser.visit());
  await openStaffSession(page.context(), 'keeper');
});

const isPressed = (heart: Locator) => heart.getAttribute('aria-pressed');

async function firstHeart(path = '/deals'): Promise<Locator> {
  await openHydrated(page, path);
  return page
    .locator('main')
    .getByRole('button', { name: /^Favorite: / })
    .first();
}

/** Opens the modal of the first deal that has a bell. */
async function openBell(): Promise<void> {
  await openHydrated(page, '/deals');
  await page
    .locator('main')
    .getByRole('link', { name: /^Price alert: / })
    .first()
    .click();
}

/** Answers POST requests from scripts to matching URLs. Passes everything else to the site. */
async function onPost(address: RegExp, answer: (route: Route) => Promise<void>): Promise<void> {
  await page.route(address, (route) =>
    route.request().method() === 'POST' ? answer(route) : route.continue(),
  );
}

/** Holds POST requests from scripts to matching URLs until the test releases them. */
async function hold(address: RegExp): Promise<{ go: () => void; posts: string[] }> {
  let go = () => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  const posts: string[] = [];
  await onPost(address, async (route) => {
    posts.push(route.request().postData() ?? '');
    await held;
    await route.continue();
  });
  return { go, posts };
}

describe('a card’s heart', () => {
  it('toggles a heart immediately, and ignores clicks until the server responds', async () => {
    const heart = await firstHeart();
    const { go, posts } = await hold(/\/api\/favorites\b/);
    await heart.click();
    await expect.poll(() => isPressed(heart)).toBe('true');
    expect(await heart.isDisabled()).toBe(true);
    await expect.poll(() => posts.length).toBe(1);
    await heart.click({ force: true });
    expect(await isPressed(heart)).toBe('true');
    go();
    await expect.poll(() => heart.isEnabled()).toBe(true);
    expect(await isPressed(heart)).toBe('true');
    expect(posts).toHaveLength(1);
    await reloadHydrated(page);
    expect(await isPressed(heart)).toBe('true');
    expect(complaints).toEqual([]);
  });

  it('toggles a heart back on a second click, and stores nothing', async () => {
    const heart = await firstHeart();
    for (const pressed of ['true', 'false']) {
      await heart.click();
      await expect.poll(() => isPressed(heart)).toBe(pressed);
      await expect.poll(() => heart.isEnabled()).toBe(true);
    }
    await page.goto('/favorites');
    await page.getByRole('heading', { name: 'No Favorites Yet' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it.each<[string, (route: Route) => Promise<void>, string]>([
    [
      'cannot be reached',
      (route) => route.abort(),
      'Your favorites could not be changed. Please try again.',
    ],
    [
      'is overloaded',
      (route) => route.fulfill({ status: 503, headers: { 'retry-after': '5' }, body: 'busy' }),
      'Your favorites could not be changed. Please try again.',
    ],
  ])(
    'changes a heart back with a message if the site %s, and keeps the page',
    async (_what, answer, words) => {
      const heart = await firstHeart();
      await page.route('**/api/favorites**', answer);
      await heart.click();
      await page.getByText(words).waitFor();
      await expect.poll(() => isPressed(heart)).toBe('false');
      expect(await heart.isEnabled()).toBe(true);
      await page.unrouteAll();
      await heart.click();
      await expect.poll(() => isPressed(heart)).toBe('true');
    },
  );

  it('asks the visitor to sign in when a heart is clicked after the session ended elsewhere', async () => {
    const heart = await firstHeart();
    await page.context().clearCookies();
    await heart.click();
    await page.getByText('Please sign in to keep favorites.').waitFor();
  });
});

describe('a user’s price alerts', () => {
  const dialog = () => page.getByRole('dialog');
  const save = () => dialog().getByRole('button', { name: /^Sav/ });

  beforeEach(async () => {
    await openBell();
    await dialog().getByRole('button', { name: 'Create Alert' }).click();
    await dialog().getByText('Price Alert Created!').waitFor();
    await openHydrated(page, '/price-alerts');
  });

  it('edits price alerts in a dialog that opens with the current values, and discards unsaved changes', async () => {
    const edit = page.getByRole('link', { name: /^Edit: / });
    await edit.click();
    const target = dialog().getByLabel('Target Price ($)');
    const stored = await target.inputValue();
    expect(await dialog().getByLabel('Active Alert').isChecked()).toBe(true);
    await target.fill('0.02');
    await dialog().getByLabel('Active Alert').uncheck();
    await dialog().getByRole('link', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'hidden' });
    await edit.click();
    expect(await target.inputValue()).toBe(stored);
    expect(await dialog().getByLabel('Active Alert').isChecked()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it.each(['', '0', '-1', '0.00'])('rejects an alert with the target "%s"', async (typed) => {
    await page.getByRole('link', { name: /^Edit: / }).click();
    await dialog().getByLabel('Target Price ($)').fill(typed);
    await expect.poll(() => save().isDisabled()).toBe(true);
    await dialog().getByText('Target price must be greater than 0').waitFor();
    await dialog().getByLabel('Target Price ($)').fill('0,01 $');
    await expect.poll(() => save().isEnabled()).toBe(true);
  });

  it('shows a saving state for an alert, then closes the dialog and shows the changes', async () => {
    await page.getByRole('link', { name: /^Edit: / }).click();
    await dialog().getByLabel('Target Price ($)').fill('1.23');
    await dialog().getByLabel('Active Alert').uncheck();
    const { go } = await hold(/\/price-alerts\?edit/);
    await save().click();
    await dialog().getByRole('button', { name: 'Saving...' }).waitFor();
    expect(await save().isDisabled()).toBe(true);
    go();
    await dialog().waitFor({ state: 'hidden' });
    const card = page.locator('main article');
    await card.getByText('$1.23').waitFor();
    await card.getByText('Inactive', { exact: true }).waitFor();
    await page.getByText('0 Active Alerts', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('keeps an alert’s input if the response is lost, and explains why', async () => {
    await page.getByRole('link', { name: /^Edit: / }).click();
    await dialog().getByLabel('Target Price ($)').fill('1.23');
    await onPost(/\/price-alerts\?edit/, (route) => route.abort());
    await save().click();
    await dialog().getByText('The site could not be reached, so nothing was changed.').waitFor();
    expect(await dialog().getByLabel('Target Price ($)').inputValue()).toBe('1.23');
    await page.unrouteAll();
    await save().click();
    await page.locator('main article').getByText('$1.23').waitFor();
  });

  it('deletes an alert only after the confirmation that the specification requires', async () => {
    await page.getByRole('link', { name: /^Delete: / }).click();
    await dialog().getByText('Are you sure you want to delete this price alert?').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await page.getByText('1 Active Alert', { exact: true }).waitFor();
    await page.getByRole('link', { name: /^Delete: / }).click();
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'No Price Alerts' }).waitFor();
    await page.getByText('Price alert deleted.').waitFor();
  });
});

describe('a form whose response is lost', () => {
  it('keeps the input for a price alert when the response is lost, and reports the error in the dialog', async () => {
    await openBell();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Target Price ($)').fill('1.23');
    await onPost(/\/price-alerts\/new\b/, (route) => route.abort());
    await dialog.getByRole('button', { name: 'Create Alert' }).click();
    await dialog.getByText('Failed to create price alert').waitFor();
    expect(await dialog.getByLabel('Target Price ($)').inputValue()).toBe('1.23');
    await page.unrouteAll();
    await dialog.getByRole('button', { name: 'Create Alert' }).click();
    await dialog.getByText('Price Alert Created!').waitFor();
  });

  it('keeps the newsletter address when the response is lost, and requires a new captcha', async () => {
    await openHydrated(page, '/#newsletter');
    const form = page.locator('#newsletter form');
    const button = form.getByRole('button', { name: 'Subscribe' });
    await form.getByLabel('Email address').fill('lost@mail.example');
    await form.getByText('Verified', { exact: true }).waitFor();
    await onPost(/\/newsletter\b/, (route) => route.fulfill({ status: 503, body: 'busy' }));
    await button.click();
    await form.getByText('Failed to subscribe. Please try again.').waitFor();
    expect(await form.getByLabel('Email address').inputValue()).toBe('lost@mail.example');
    await page.unrouteAll();
    await form.getByLabel('Email address').focus();
    await form.getByText('Verified', { exact: true }).waitFor();
    await button.click();
    await form.getByText('Successfully subscribed! Check your email for confirmation.').waitFor();
    expect(await form.getByLabel('Email address').inputValue()).toBe('');
  });

  it('keeps the contact message when the response is lost', async () => {
    await openHydrated(page, '/contact');
    const form = page.locator('main form');
    const words: Record<string, string> = {
      Name: 'Ada',
      Email: 'ada@mail.example',
      Subject: 'A question',
      Message: 'A long question',
    };
    for (const [label, text] of Object.entries(words)) await form.getByLabel(label).fill(text);
    await form.getByText('Verified', { exact: true }).waitFor();
    await onPost(/\/contact\b/, (route) => route.abort());
    await form.getByRole('button', { name: 'Send Message' }).click();
    await form.getByText('Failed to send your message. Please try again.').waitFor();
    for (const [label, text] of Object.entries(words)) {
      expect(await form.getByLabel(label).inputValue()).toBe(text);
    }
  });
});

describe('signing out', () => {
  it('reports that the site is unreachable when signing out, and offers a retry', async () => {
    await openHydrated(page, '/logout');
    await onPost(/\/logout\b/, (route) => route.abort());
    await page.locator('main').getByRole('button', { name: 'Sign Out' }).click();
    await page
      .getByText('The site could not be reached, so you are still signed in. Please try again.')
      .waitFor();
    expect(await page.getByRole('progressbar').getAttribute('value')).toBe('25');
    await page.unrouteAll();
    await page.locator('main').getByRole('button', { name: 'Sign Out' }).click();
    await page.getByText('Logout completed. Redirecting...').waitFor();
    await page.waitForURL((url) => url.pathname === '/');
    await page.goto('/profile');
    await page.waitForURL((url) => url.pathname === '/sign-in');
  });

  it('signs out even if the browser does not delete its data, and reports it', async () => {
    await openHydrated(page, '/logout');
    await page.evaluate(() => {
      Object.defineProperty(window, 'sessionStorage', {
        get() {
          throw new DOMException('denied', 'SecurityError');
        },
      });
    });
    await page.locator('main').getByRole('button', { name: 'Sign Out' }).click();
    await page.getByText('Logout completed with warnings. Redirecting...').waitFor();
    await page.waitForURL((url) => url.pathname === '/');
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('session');
  });
});
