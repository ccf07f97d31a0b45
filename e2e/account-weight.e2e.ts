import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from './open-browser.ts';
import { openStaffSession } from './open-staff-session.ts';
import { untilHydrated } from './page-alive.ts';

// Measures how much a browser with an empty cache downloads for an account page.

const browser = useBrowser({ startsAnew: true });
const kilobyte = 1000;

const signedOut = [
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/resend-verification',
  '/reset-password?token=none',
  '/verify-email?token=none',
  '/confirm-address?token=none',
  '/setup?token=none',
  '/invitation?token=none',
  '/stop-mails?token=none',
  '/logout',
];
const signedIn = [
  '/profile',
  '/profile/two-factor',
  '/profile/passkeys',
  '/profile/providers',
  '/favorites',
  '/favorites/saved',
  '/for-you',
  '/favorites/import',
  '/price-alerts',
  '/price-alerts/new',
  '/price-alerts/searches/new?of=%2Fdeals',
];

/** Returns the size in bytes, as transferred, of all scripts that a page loads by itself. */
async function weighScripts(page: Page, address: string): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  const scripts = new Set<string>();
  let bytes = 0;
  devtools.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(address);
  await untilHydrated(page);
  await page.waitForLoadState('networkidle');
  await devtools.detach();
  return bytes;
}

test.each(signedOut)('loads less than 25 kB of script for the account page %s', async (address) => {
  const { page } = await browser.visit();
  expect(await weighScripts(page, address)).toBeLessThan(25 * kilobyte);
});

test.each(signedIn)('loads at most 110 kB of script for the account page %s', async (address) => {
  const { page } = await browser.visit();
  await openStaffSession(page.context(), 'weighed', { role: 'user' });
  const bytes = await weighScripts(page, address);
  expect(bytes).toBeGreaterThan(kilobyte);
  expect(bytes).toBeLessThanOrEqual(110 * kilobyte);
});
