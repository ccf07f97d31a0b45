import { createECDH, randomBytes } from 'node:crypto';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { examine, openAndExamineSent, type Seen } from './examine-page.ts';
import { htmlFaults } from './html-faults.ts';
import { useBrowser } from './open-browser.ts';
import type { PageKind } from './page-kinds.ts';
import { runCommand } from './run-command.ts';
import { openHydrated } from './page-alive.ts';

const browser = useBrowser();
const wholeBrowser = useBrowser({ isWhole: true });
const email = `keeper-${Date.now()}@mail.example`;
let state: BrowserContextOptions['storageState'];
let dealId = '';

const kinds: PageKind[] = [
  { name: 'favorites', address: '/favorites', status: 200 },
  { name: 'savings', address: '/favorites/saved', status: 200 },
  { name: 'for you', address: '/for-you', status: 200 },
  { name: 'import your list', address: '/favorites/import', status: 200 },
  { name: 'price alerts', address: '/price-alerts', status: 200 },
  { name: 'picker', address: '/price-alerts/new', status: 200 },
  { name: 'picker, found', address: '/price-alerts/new?q=desk', status: 200 },
  { name: 'a search to watch', address: '/price-alerts/searches/new?of=%2Fdeals', status: 200 },
  { name: 'picker, nothing found', address: '/price-alerts/new?q=zqxjv', status: 200 },
];
const signedOut: PageKind[] = [
  { name: 'favorites, signed out', address: '/favorites', status: 401 },
  { name: 'savings, signed out', address: '/favorites/saved', status: 401 },
  { name: 'for you, signed out', address: '/for-you', status: 401 },
  { name: 'price alerts, signed out', address: '/price-alerts', status: 401 },
  { name: 'picker, signed out', address: '/price-alerts/new', status: 200 },
  { name: 'form, signed out', address: '/price-alerts/new?deal=1', status: 200 },
  { name: 'confirm an alert, no link', address: '/price-alerts/confirm', status: 404 },
  { name: 'alerts by mail, no link', address: '/price-alerts/by-mail', status: 404 },
  { name: 'newsletter', address: '/newsletter', status: 200 },
  { name: 'unsubscribe, no link', address: '/unsubscribe', status: 400 },
  { name: 'confirm, no link', address: '/newsletter/confirm', status: 400 },
  { name: 'stop mails, no link', address: '/stop-mails', status: 404 },
];

beforeAll(async () => {
  const made = await runCommand('admin', 'create', email, '--json');
  const { password } = JSON.parse(made) as { password: string };
  const { page } = await browser.visit();
  await page.goto('/sign-in?returnTo=/deals');
  const form = page.locator('main');
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Password', { exact: true }).fill(password);
  await form.getByRole('button', { name: 'Sign In', exact: true }).click(); // waits for the captcha
  await page.waitForURL((url) => url.pathname === '/deals');
  const bell = page.locator('main a[href^="/price-alerts/new?deal="]').first();
  await bell.waitFor();
  dealId = /deal=(\d+)/.exec((await bell.getAttribute('href')) ?? '')?.[1] ?? '';
  state = await page.context().storageState();
  await page.context().close();
});

const looks = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 390 },
] as const;

describe('saved deals and alerts', () => {
  // Proves Storefront 2: Favorites: “Sign In Required”, “No Favorites Yet”, “N Favorite(s)” (favorites-page.tsx)
  it('passes the audit with no favorites and alerts', async () => {
    await audit(kinds.slice(0, 2), true);
  });

  // Proves Storefront 2: Deal card: favorite toggle (favorite-toggle.tsx)
  // Proves Storefront 2: Deal card: alert button (alert-button.tsx)
  // Proves Storefront 2: Deal card: disabled while toggling (favorite-toggle.tsx)
  // Proves Storefront 5: Deal-page prompt (alert-form.tsx)
  // Proves P22: the same modal everywhere (alert-form.tsx)
  it('adds favorites and alerts with a card’s heart and bell on a phone, without opening the deal', async () => {
    const { page, complaints } = await browser.visit({
      storageState: state,
      viewport: { width: 390, height: 800 },
    });
    await openHydrated(page, '/deals'); // Plain forms would open other pages.
    const card = page.locator('article').filter({ has: page.locator(`a[href$="deal=${dealId}"]`) });
    const heart = card.getByRole('button', { name: /^Favorite: / });
    await heart.click();
    await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('true');
    await card.getByRole('link', { name: /^Price alert: / }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Create Price Alert' }).waitFor();
    expect(await examine(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create Alert' }).click();
    await dialog.getByText('Price Alert Created!').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  // Proves Storefront 2: Deal detail: Price Alert and its modal (alert-form.tsx)
  it('passes the audit with favorites and alerts, and with their dialogs open', async () => {
    const form = { name: 'form', address: `/price-alerts/new?deal=${dealId}`, status: 200 };
    await audit([...kinds, form], true);
    const { page } = await browser.visit({ storageState: state });
    await openHydrated(page, '/price-alerts');
    for (const name of [/^Edit: /, /^Delete: /]) {
      await page.getByRole('link', { name }).click();
      await page.getByRole('dialog').waitFor();
      expect(await examine(page)).toEqual([]);
      await page.getByRole('dialog').getByRole('link', { name: 'Cancel' }).click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
    await page.context().close();
  });
});

// Proves P26: favorites’ refresh (favorites-page.tsx)
it('P26: reloads the data but not the page on Refresh', async () => {
  const { page } = await browser.visit({ storageState: state });
  await openHydrated(page, '/favorites');
  await page.getByText('1 Favorite', { exact: true }).waitFor();
  const openedAt = await page.evaluate(() => performance.timeOrigin);
  const unset = { deal_id: dealId, want: 'unset' };
  const headers = { origin: inject('origin') };
  await page.context().request.post('/api/favorites', { form: unset, headers });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('heading', { name: 'No Favorites Yet' }).waitFor();
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(openedAt);
  await page.context().close();
});

it('passes the audit on pages that signed-out visitors open from emails and forms', async () => {
  await audit(signedOut, false);
});

describe('notifications', () => {
  it('asks for notifications only on a click, shows them through the service worker, and opens the deal', async () => {
    const { page, complaints } = await wholeBrowser.visit({
      storageState: state,
      permissions: ['notifications'],
    });
    await page.addInitScript(standInForPushService, subscriptionOfABrowser());
    await openHydrated(page, '/price-alerts'); // A click before hydration would be lost.
    const notify = page.getByRole('switch', { name: 'Notify this browser' });
    await expect.poll(() => notify.getAttribute('aria-checked')).toBe('false');
    await notify.click();
    await expect.poll(() => notify.getAttribute('aria-checked')).toBe('true');
    await page.getByText('This browser is notified when an alert fires').waitFor();
    expect(await examine(page)).toEqual([]);

    await deliver(page, {
      title: 'A lamp',
      body: 'Now $8.00',
      path: '/deals/lamp',
      tag: 'alert-1',
    });
    await expect.poll(() => shown(page)).toEqual([['A lamp', 'Now $8.00', '/deals/lamp']]);
    await deliver(page, {
      title: 'A lamp',
      body: 'Now $7.00',
      path: '/deals/lamp',
      tag: 'alert-1',
    });
    await expect.poll(() => shown(page)).toEqual([['A lamp', 'Now $7.00', '/deals/lamp']]);

    await page.getByRole('button', { name: /^Stop: / }).click();
    await expect.poll(() => notify.getAttribute('aria-checked')).toBe('false');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows how to allow notifications that are blocked', async () => {
    const { page } = await wholeBrowser.visit({ storageState: state });
    await page.addInitScript(() =>
      Object.defineProperty(Notification, 'permission', { get: () => 'denied' }),
    );
    await page.goto('/price-alerts');
    await page.getByText('This browser blocks notifications from this site.').waitFor();
    expect(await page.getByRole('switch').isDisabled()).toBe(true);
    await page.context().close();
  });
});

async function audit(pages: readonly PageKind[], isSignedIn: boolean): Promise<void> {
  const { page } = await browser.visit(isSignedIn ? { storageState: state } : {});
  const seen: Seen = new Set();
  const faults: string[] = [];
  for (const kind of pages) {
    const { found, html } = await openAndExamineSent(looks, page, kind, seen);
    for (const [n, { colorScheme, width }] of looks.entries()) {
      const list = n === 0 ? [...(found[n] ?? []), ...(await htmlFaults(html))] : (found[n] ?? []);
      faults.push(...list.map((fault) => `${kind.name}, ${colorScheme} ${width}: ${fault}`));
    }
  }
  await page.context().close();
  expect(faults).toEqual([]);
}

function subscriptionOfABrowser() {
  const own = createECDH('prime256v1');
  own.generateKeys();
  const endpoint = `https://push.example/${randomBytes(8).toString('hex')}`;
  const p256dh = own.getPublicKey().toString('base64url');
  return { endpoint, keys: { p256dh, auth: randomBytes(16).toString('base64url') } };
}

/** Fakes the response of a push service, because tests have none. */
function standInForPushService(given: { endpoint: string; keys: Record<string, string> }): void {
  let present: object | null = null;
  const subscription = {
    endpoint: given.endpoint,
    options: { applicationServerKey: null },
    toJSON: () => given,
    unsubscribe: () => Promise.resolve(!(present = null)),
  };
  Object.assign(PushManager.prototype, {
    getSubscription: () => Promise.resolve(present),
    subscribe: () => Promise.resolve((present = subscription)),
  });
}

/** Delivers a message as a push service would, through the browser's debugging protocol. */
async function deliver(page: Page, message: object): Promise<void> {
  const wire = await page.context().newCDPSession(page);
  const registration = new Promise<string>((resolve) => {
    wire.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId);
    });
  });
  await wire.send('ServiceWorker.enable');
  await wire.send('ServiceWorker.deliverPushMessage', {
    origin: inject('origin'),
    registrationId: await registration,
    data: JSON.stringify(message),
  });
  await wire.detach();
}

function shown(page: Page): Promise<string[][]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const notes = await registration.getNotifications();
    return notes.map(({ title, body, data }) => [title, body, data.path]);
  });
}
