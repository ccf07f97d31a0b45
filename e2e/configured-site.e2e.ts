import { afterAll, beforeAll, expect, test } from 'vitest';
import { testProviderKeys, startProvider } from '#test/provider-stand-in.ts';
import { useOwnShop } from './current-shop.ts';
import { useBrowser } from './open-browser.ts';
import { openHydrated } from './page-alive.ts';

// Tests features that the owner must enable, in a separate shop.

const browser = useBrowser();
let provider: Awaited<ReturnType<typeof startProvider>>;

beforeAll(async () => {
  provider = await startProvider();
  provider.person = { subject: 'ada', email: 'ada@mail.example', isVerified: true, name: 'Ada A.' };
});
afterAll(() => provider?.close());
useOwnShop(() => ({
  OIDC_ISSUER: provider.origin,
  OIDC_CLIENT_ID: testProviderKeys.clientId,
  OIDC_CLIENT_SECRET: testProviderKeys.clientSecret,
  OIDC_NAME: 'Shop Login',
  SESSION_MONITOR: 'on',
}));

test.each([true, false])(
  'signs a user in with the owner’s provider, and returns to the same page (scripts: %s)',
  async (javaScriptEnabled) => {
    const { page, complaints } = await browser.visit({ javaScriptEnabled });
    if (javaScriptEnabled) await openHydrated(page, '/categories');
    else await page.goto('/categories');
    await page.getByRole('link', { name: 'Sign In', exact: true }).click();
    await page.getByRole('button', { name: 'Continue with Shop Login' }).click();
    await page.waitForURL((url) => url.pathname === '/categories');
    await page.locator('header summary', { hasText: 'ada' }).waitFor();
    expect(complaints).toEqual([]);
  },
);

// Proves Back office 2: Session monitor (session-monitor.tsx)
// Proves Back office 9: Logout 1000 ms, monitor 10 s (logout-page.tsx, session-monitor.tsx)
// Proves P36: session monitor (session-monitor.tsx)
test('P36: shows signed-in users the state of their session if the monitor is enabled', async () => {
  const { page, complaints } = await browser.visit();
  const button = page.getByRole('button', { name: 'Session Monitor' });
  await openHydrated(page, '/sign-in?returnTo=/deals');
  expect(await button.count()).toBe(0);
  await page.getByRole('button', { name: 'Continue with Shop Login' }).click();
  await button.click();
  const panel = page.getByRole('region', { name: 'Session Monitor' });
  await panel.getByText('ada@mail.example').waitFor();
  await panel.getByText('Valid', { exact: true }).waitFor();
  await panel.getByText('Available', { exact: true }).waitFor();
  await panel.getByText(/^\d{5}m \d{1,2}s$/).waitFor();
  await panel.getByText('For debugging.').waitFor();

  await panel.getByRole('button', { name: 'Test Data Access' }).click();
  await page.getByText('Data access test successful! Found 3 deals.').waitFor();
  await panel.getByRole('button', { name: 'Refresh Session' }).click();
  await page.getByText('Session refreshed.').waitFor();

  await page.context().clearCookies();
  // The next poll needs no user action.
  await panel.getByText('Expired', { exact: true }).waitFor();
  await panel.getByText('Missing', { exact: true }).waitFor();
  await panel.getByText('0m 0s', { exact: true }).waitFor();
  await panel.getByRole('button', { name: 'Refresh Session' }).click();
  await page.getByText('Session refresh failed: the session has ended').waitFor();
  await panel.getByRole('button', { name: 'Test Data Access' }).click();
  await page.getByText('Data access test failed: the session has ended').waitFor();
  expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
});
