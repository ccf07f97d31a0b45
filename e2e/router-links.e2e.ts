import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStaffSession } from './open-staff-session.ts';
import { useBrowser } from './open-browser.ts';
import { openHydrated, untilHydrated } from './page-alive.ts';

// All links are plain. In the admin, the router follows links to admin pages, and the browser all
// others.

const browser = useBrowser();
const password = 'walking the hills';
let page: Page;
let complaints: string[];

beforeEach(async () => {
  ({ page, complaints } = await browser.visit());
  await openStaffSession(page.context(), 'linked', { password });
});

const openedAt = () => page.evaluate(() => performance.timeOrigin);
const inHeader = (path: string) => page.locator(`header a[href="${path}"]`).first();
const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

describe('on an account page', () => {
  it('opens another account page as a document without a router, and so does the back button', async () => {
    await openHydrated(page, '/profile');
    await inHeader('/favorites').click();
    await heading('My Favorites');
    await page.getByRole('link', { name: 'Price alerts', exact: true }).click();
    await heading('Price Alerts');
    expect(await page.title()).toContain('Price Alerts');
    expect(await page.evaluate(() => '__reactRouterContext' in window)).toBe(false);
    await page.goBack();
    await heading('My Favorites');
    await page.goBack();
    await heading('Profile');
    expect(complaints).toEqual([]);
  });

  it('opens a visitor page as a new document, and restores the account page when going back', async () => {
    await openHydrated(page, '/profile');
    const opened = await openedAt();
    await inHeader('/deals').click();
    await page.waitForURL((url) => url.pathname === '/deals');
    await untilHydrated(page);
    expect(await openedAt()).not.toBe(opened);
    expect(await page.evaluate(() => '__reactRouterContext' in window)).toBe(false);
    await page.goBack();
    await heading('Profile');
    expect(complaints).toEqual([]);
  });

  it('opens a link in another tab on request', async () => {
    await openHydrated(page, '/profile');
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      inHeader('/favorites').click({ modifiers: ['ControlOrMeta'] }),
    ]);
    await other.getByRole('heading', { name: 'My Favorites', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/profile');
  });

  it('lets the browser follow links to a fragment of the same page', async () => {
    await openHydrated(page, '/profile');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#main');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    expect(asked.filter((address) => address.includes('.data'))).toEqual([]);
  });

  it('adds a history entry for a dialog with a URL, which Cancel replaces', async () => {
    await openHydrated(page, '/deals');
    await page
      .locator('main')
      .getByRole('link', { name: /^Price alert: / })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create Alert' }).click();
    await page.getByText('Price Alert Created!').waitFor();
    await openHydrated(page, '/price-alerts');
    const opened = await openedAt();
    const dialog = page.getByRole('dialog');
    await page.getByRole('link', { name: /^Edit: / }).click();
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'hidden' });
    await page.goForward();
    await dialog.getByRole('link', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).search).toBe('');
    expect(await openedAt()).toBe(opened);
    expect(complaints).toEqual([]);
  });

  it('opens a visitor page as a document after a form is posted', async () => {
    await openHydrated(page, '/profile');
    const form = page.getByRole('region', { name: 'Delete account' });
    await form.getByRole('heading', { name: 'Delete account' }).click();
    await form.getByLabel('Your password').fill(password);
    await form.getByRole('button', { name: 'Delete my account' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    await page.getByRole('link', { name: 'Sign In', exact: true }).waitFor();
    expect(await page.evaluate(() => '__reactRouterContext' in window)).toBe(false);
    expect(complaints).toEqual([]);
  });
});

describe('in the admin', () => {
  const inSidebar = (name: string) =>
    page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name, exact: true });

  it('opens another admin screen in place, and goes back in place', async () => {
    await openHydrated(page, '/admin/audit');
    const opened = await openedAt();
    await inSidebar('Categories').click();
    await heading('Categories');
    await inSidebar('Deals').click();
    await heading('Deal Management');
    expect(await page.title()).toContain('Deal');
    await page.goBack();
    await heading('Categories');
    await page.goBack();
    await page.waitForURL((url) => url.pathname === '/admin/audit');
    expect(await openedAt()).toBe(opened);
    expect(complaints).toEqual([]);
  });

  it('does not add a history entry for a link to the screen itself', async () => {
    await openHydrated(page, '/admin/categories');
    const steps = await page.evaluate(() => history.length);
    await Promise.all([page.waitForResponse(/categories\.data/), inSidebar('Categories').click()]);
    await heading('Categories');
    expect(await page.evaluate(() => history.length)).toBe(steps);
  });

  it('fetches the admin’s scripts in parallel', async () => {
    await page.goto('/admin');
    const preloaded = await page
      .locator('link[rel="modulepreload"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    await untilHydrated(page);
    const needed = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => new URL(name).pathname)
        .filter((path) => /\/assets\/(?:react|router|root|entry)[.\w-]*\.js$/.test(path)),
    );
    expect(needed.length).toBeGreaterThanOrEqual(4);
    expect(preloaded).toEqual(expect.arrayContaining(needed));
  });

  it('opens admin screens in place, and the public site and its back link as documents', async () => {
    await openHydrated(page, '/admin');
    const opened = await openedAt();
    const sidebar = page.getByRole('navigation', { name: 'Admin' });
    await sidebar.getByRole('link', { name: 'Categories', exact: true }).click();
    await heading('Categories');
    await sidebar.getByRole('link', { name: 'Deals', exact: true }).click();
    await heading('Deal Management');
    await page.locator('a[rel=next]').first().click();
    await page.waitForURL((url) => url.searchParams.get('page') === '2');
    expect(await openedAt()).toBe(opened);
    await page.getByRole('link', { name: 'Back to Site' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    await untilHydrated(page);
    expect(await openedAt()).not.toBe(opened);
    await page.goBack();
    await heading('Deal Management');
    expect(complaints).toEqual([]);
  });

  it('opens an unknown admin URL as a document with an error', async () => {
    await openHydrated(page, '/admin');
    await page.evaluate(() => {
      const link = document.createElement('a');
      link.href = '/admin/nowhere';
      link.textContent = 'Nowhere';
      document.querySelector('main')?.append(link);
    });
    await page.getByRole('link', { name: 'Nowhere' }).click();
    await heading('Oops! Page Not Found');
    expect(await page.evaluate(() => '__reactRouterContext' in window)).toBe(false);
  });
});
