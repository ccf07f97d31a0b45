import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { staffPassword } from '#test/staff.ts';
import { readQuestion } from '#test/visitor.ts';
import { examine } from './examine-page.ts';
import { openStaffSession } from './open-staff-session.ts';
import { useBrowser } from './open-browser.ts';
import { openHydrated, untilHydrated } from './page-alive.ts';

// Tests the hearts and bells of signed-in users on visitor pages: the first click, scripts that
// fail to load, and pages from the back/forward cache.

const browser = useBrowser({ hasPageCache: true });
let page: Page;
let complaints: string[];

beforeEach(async () => {
  ({ page, complaints } = await browser.visit());
  await openStaffSession(page.context(), 'hearty');
});

const isPressed = (heart: Locator) => heart.getAttribute('aria-pressed');
const heartsOf = (place: Page) =>
  place.locator('main').getByRole('button', { name: /^Favorite: / });
const bellsOf = (place: Page) =>
  place.locator('main').getByRole('link', { name: /^Price alert: / });
/** The URL pattern of the hearts' script, for any file name chosen by the build. */
const scriptOf = (module: string) => new RegExp(`/assets/${module}-[\\w-]+\\.js$`);

/** The first card's link. */
const firstDeal = () => page.locator('main article').first().getByRole('heading').getByRole('link');

async function openFirstDeal(): Promise<void> {
  await firstDeal().click();
  await page.waitForURL((url) => url.pathname.startsWith('/deals/'));
  await untilHydrated(page);
}

/**
 * Goes back without waiting for a load event, which a page from the back/forward cache never fires.
 */
const goBack = () => page.evaluate(() => history.back());

describe('the first click', () => {
  it('fills a heart on the first click, even while its script is loading', async () => {
    let go = () => {};
    const held = new Promise<void>((resolve) => (go = resolve));
    await page.route(scriptOf('turn-heart'), async (route) => {
      await held;
      await route.continue();
    });
    await openHydrated(page, '/deals');
    const heart = heartsOf(page).first();
    await heart.click();
    go();
    await expect.poll(() => isPressed(heart)).toBe('true');
    expect(new URL(page.url()).pathname).toBe('/deals');
    expect(complaints).toEqual([]);
  });

  it('saves the deal through the form if the heart’s script never loads', async () => {
    await page.route(scriptOf('turn-heart'), (route) => route.abort());
    await openHydrated(page, '/deals?sort=price-asc');
    const heart = heartsOf(page).first();
    await Promise.all([page.waitForEvent('framenavigated'), heart.click()]);
    await untilHydrated(page);
    expect(page.url()).toContain('/deals?sort=price-asc');
    expect(await isPressed(heart)).toBe('true');
  });

  it('opens the alert dialog from a bell, or its page if the script never loads', async () => {
    await openHydrated(page, '/deals');
    await bellsOf(page).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create Alert' }).waitFor();
    await page.keyboard.press('Escape');
    await page.route(scriptOf('alert-dialog'), (route) => route.abort());
    await openHydrated(page, '/deals');
    await bellsOf(page).first().click();
    await page.waitForURL((url) => url.pathname === '/price-alerts/new');
    await page.getByRole('button', { name: 'Create Alert' }).waitFor();
  });
});

describe('by keyboard alone', () => {
  it('toggles a heart by keyboard, keeps the focus, and announces its state', async () => {
    await openHydrated(page, '/deals');
    const heart = heartsOf(page).first();
    await heart.focus();
    for (const [key, pressed] of [
      ['Enter', 'true'],
      ['Space', 'false'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => isPressed(heart)).toBe(pressed);
      await expect.poll(() => heart.isEnabled()).toBe(true);
      expect(await heart.evaluate((button) => button === document.activeElement)).toBe(true);
    }
    expect(complaints).toEqual([]);
  });

  it('creates an alert by keyboard, marks its bell and returns the focus to it', async () => {
    await openHydrated(page, '/deals');
    const bell = bellsOf(page).first();
    const name = (await bell.getAttribute('aria-label')) ?? '';
    await bell.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Create Price Alert' });
    await dialog.getByLabel('Target Price ($)').press('Enter');
    await dialog.getByText('Price Alert Created!').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    const set = page.getByRole('link', { name: name.replace(/^Price/, 'Change price') });
    expect(await set.evaluate((link) => link === document.activeElement)).toBe(true);
    expect(await examine(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

it('reports an ended session when a user sets an alert, and keeps the input', async () => {
  await openHydrated(page, '/deals');
  await bellsOf(page).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Target Price ($)').fill('1.23');
  await page.context().clearCookies();
  await dialog.getByRole('button', { name: 'Create Alert' }).click();
  await dialog.getByText('You must be logged in to create price alerts').waitFor();
  expect(await dialog.getByLabel('Target Price ($)').inputValue()).toBe('1.23');
  expect(await page.locator('main [data-bell][data-on]').count()).toBe(0);
});

it('labels the heart and the bell on a deal’s page by their state', async () => {
  await openHydrated(page, '/deals');
  await openFirstDeal();
  const button = (name: string) => page.getByRole('button', { name, exact: true }).first();
  await button('Favorite').click();
  await button('Favorited').waitFor();
  await page.getByRole('link', { name: 'Price Alert', exact: true }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create Alert' }).click();
  await page.getByRole('link', { name: 'Price Alert set', exact: true }).first().waitFor();
  expect(complaints).toEqual([]);
});

it('changes both hearts together if a page shows the same deal twice', async () => {
  await openHydrated(page, '/deals');
  const heart = heartsOf(page).first();
  await heart.evaluate((button) => {
    const card = button.closest('article');
    card?.after(card.cloneNode(true));
  });
  const both = page
    .locator('main')
    .getByRole('button', { name: (await heart.getAttribute('aria-label')) ?? '', exact: true });
  await both.last().click();
  await expect.poll(() => isPressed(both.first())).toBe('true');
  expect(await isPressed(both.last())).toBe('true');
});

it('removes the card when its heart is cleared on the favorites page, and updates the count', async () => {
  await openHydrated(page, '/deals');
  for (const heart of (await heartsOf(page).all()).slice(0, 2)) {
    await heart.click();
    await expect.poll(() => isPressed(heart)).toBe('true');
    await expect.poll(() => heart.isEnabled()).toBe(true);
  }
  await openHydrated(page, '/favorites');
  await page.getByText('2 Favorites', { exact: true }).waitFor();
  const openedAt = await page.evaluate(() => performance.timeOrigin);
  await heartsOf(page).first().click();
  await page.getByText('1 Favorite', { exact: true }).waitFor();
  expect(await heartsOf(page).count()).toBe(1);
  await bellsOf(page).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create Alert' }).click();
  await page.getByRole('dialog').getByText('Price Alert Created!').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('main [data-bell][data-on]').waitFor();
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await page
    .locator('main')
    .getByRole('link', { name: /^Change price alert: / })
    .waitFor();
  await heartsOf(page).first().click();
  await page.getByRole('heading', { name: 'No Favorites Yet' }).waitFor();
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(openedAt);
  expect(complaints).toEqual([]);
});

describe('a page from the back/forward cache', () => {
  it('keeps a heart pressed on a page from the back/forward cache', async () => {
    await openHydrated(page, '/deals');
    const heart = heartsOf(page).first();
    await heart.click();
    await expect.poll(() => heart.isEnabled()).toBe(true);
    await openFirstDeal();
    await page.getByRole('button', { name: 'Favorited', exact: true }).first().waitFor();
    await goBack();
    await page.waitForURL((url) => url.pathname === '/deals');
    await expect.poll(() => isPressed(heart)).toBe('true');
  });

  it('updates a heart that was pressed on a later page when its page returns from the back/forward cache', async () => {
    await openHydrated(page, '/deals');
    const heart = heartsOf(page).first();
    await openFirstDeal();
    await page.getByRole('button', { name: 'Favorite', exact: true }).first().click();
    const favorited = page.getByRole('button', { name: 'Favorited', exact: true }).first();
    await favorited.waitFor();
    // The heart changes before the server has saved the deal.
    await expect.poll(() => favorited.isEnabled()).toBe(true);
    await goBack();
    await expect.poll(() => isPressed(heart)).toBe('true');
  });

  it('shows changes from another tab on a page from the back/forward cache', async () => {
    await openHydrated(page, '/deals');
    const heart = heartsOf(page).first();
    await openFirstDeal();
    const other = await page.context().newPage();
    await openHydrated(other, '/deals');
    await heartsOf(other).first().click();
    await expect.poll(() => isPressed(heartsOf(other).first())).toBe('true');
    await expect.poll(() => heartsOf(other).first().isEnabled()).toBe(true);
    await goBack();
    await expect.poll(() => isPressed(heart)).toBe('true');
  });

  it('shows a newly signed-in user on a page from the back/forward cache', async () => {
    await page.context().clearCookies();
    await openHydrated(page, '/deals');
    await openFirstDeal();
    await openStaffSession(page.context(), 'later');
    await page.getByRole('link', { name: 'Deals', exact: true }).first().click();
    await page.locator('header summary', { hasText: 'later' }).waitFor();
    await goBack();
    await page.waitForURL((url) => url.pathname !== '/deals');
    await page.locator('header summary', { hasText: 'later-' }).waitFor();
    await goBack();
    await page.waitForURL((url) => url.pathname === '/deals');
    await heartsOf(page).first().waitFor();
  });

  it('shows no account data after sign-out on a page from the back/forward cache', async () => {
    await openHydrated(page, '/deals');
    await page.locator('header summary', { hasText: 'hearty-' }).click();
    await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
    await page.getByText('Logout completed. Redirecting...').waitFor();
    await page.waitForURL((url) => url.pathname === '/');
    await goBack();
    await page.getByRole('link', { name: 'Sign In', exact: true }).waitFor();
    expect(await heartsOf(page).count()).toBe(0);
    expect(await page.content()).not.toContain('hearty-');
  });
});

it('shows a heart that was filled after its page was prefetched', async () => {
  await openHydrated(page, '/deals');
  const heart = heartsOf(page).first();
  const ahead = page.waitForRequest(
    (request) => request.headers()['sec-purpose']?.startsWith('prefetch') ?? false,
  );
  await firstDeal().hover();
  await (await ahead).response();
  await heart.click();
  await expect.poll(() => isPressed(heart)).toBe('true');
  await expect.poll(() => heart.isEnabled()).toBe(true);
  await firstDeal().click();
  await page.waitForURL((url) => url.pathname.startsWith('/deals/'));
  await page.getByRole('button', { name: 'Favorited', exact: true }).first().waitFor();
});

/** Signs in on the open page. Without JavaScript, the first attempt shows the captcha question. */
async function signInByForm(theirs: Page, email: string, hasScripts: boolean): Promise<void> {
  const form = theirs.locator('main');
  const submit = () => form.getByRole('button', { name: 'Sign In', exact: true }).click();
  const fill = async () => {
    await form.getByLabel('Email').fill(email);
    await form.getByLabel('Password', { exact: true }).fill(staffPassword);
  };
  if (hasScripts) await untilHydrated(theirs);
  await fill();
  if (hasScripts) await form.getByText('Verified', { exact: true }).waitFor();
  await submit();
  if (hasScripts) return;
  const question = readQuestion(await theirs.content());
  await form.locator('[name="captcha_answer"]').fill(question?.['captcha_answer'] ?? '');
  await fill();
  await submit();
}

describe('a signed-out visitor', () => {
  it.each([true, false])(
    'asks a signed-out visitor who clicks a heart to sign in, and then saves the deal (scripts: %s)',
    async (javaScriptEnabled) => {
      const { page: theirs } = await browser.visit({ javaScriptEnabled });
      await theirs.goto('/deals');
      const address = await theirs
        .locator('main article')
        .first()
        .getByRole('heading')
        .getByRole('link')
        .getAttribute('href');
      if (javaScriptEnabled) await openHydrated(theirs, address ?? '');
      else await theirs.goto(address ?? '');
      await theirs.getByRole('button', { name: 'Favorite', exact: true }).click();
      await theirs.waitForURL(`**/sign-in?returnTo=${encodeURIComponent(address ?? '')}`);
      const account = { role: 'user', password: staffPassword } as const;
      const id = await openStaffSession(page.context(), 'stranger', account);
      await signInByForm(theirs, `${id}@staff.example`, javaScriptEnabled);
      await theirs.waitForURL(`**${address}`);
      await theirs.getByRole('button', { name: 'Favorited', exact: true }).waitFor();
    },
  );

  it('opens an email form from a signed-out visitor’s bell, with a link to sign in instead', async () => {
    const { page: theirs } = await browser.visit();
    await openHydrated(theirs, '/deals');
    const first = theirs.locator('main article').first().getByRole('heading').getByRole('link');
    await openHydrated(theirs, (await first.getAttribute('href')) ?? '');
    await theirs.locator('main').getByRole('link', { name: 'Price Alert', exact: true }).click();
    await theirs.getByRole('dialog').getByRole('link', { name: 'Sign in instead' }).click();
    await theirs.waitForURL(/\/sign-in\?returnTo=%2Fprice-alerts%2Fnew%3Fdeal%3D\d+$/);
  });
});
