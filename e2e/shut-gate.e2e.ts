import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { changeMaintenance } from '#app/features/site-settings/change-maintenance.server.ts';
import {
  defaultMaintenance,
  type MaintenanceSettings,
} from '#app/features/site-settings/maintenance.ts';
import { useOwnShop } from './current-shop.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { openHydrated } from './page-alive.ts';

// Uses a separate shop, because the closed gate would also block visitors in other tests.
useOwnShop();

const browser = useBrowser();
const message = 'We count our stock and are back at noon.';

async function shut(change: Partial<MaintenanceSettings>): Promise<void> {
  const settings = { ...defaultMaintenance, message, ...change };
  await withShopDatabase((db) =>
    changeMaintenance(db, { settings, actor: 'cli', actorAddress: null }),
  );
}

/** Every process receives a change within two seconds. */
async function answers(page: Page, status: number): Promise<void> {
  const ask = async () => (await page.request.get('/faq')).status();
  await expect.poll(ask).toBe(status);
}

afterEach(() => shut({ enabled: false }));

describe('R32: maintenance mode for visitors and staff', () => {
  // Proves R32: an open tab meets the screen; staff and allowed addresses go on (refused-screen.tsx)
  it('R32: shows the maintenance screen instead of the next page in an open tab, and the site afterwards', async () => {
    const { page } = await browser.visit();
    await page.goto('/');
    await shut({ enabled: true });
    await answers(page, 503);
    await page.getByRole('link', { name: 'FAQ' }).first().click();
    await page.getByRole('heading', { name: 'Under maintenance' }).waitFor();
    expect(await page.getByText(message).isVisible()).toBe(true);
    expect(new URL(page.url()).pathname).toBe('/faq');
    await shut({ enabled: false });
    await answers(page, 200);
    await page.getByRole('link', { name: 'Try Again' }).click();
    await page.getByRole('heading', { level: 1, name: /questions/i }).waitFor();
  });

  it('R32: shows the maintenance screen even if a router handles the navigation', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, '/sign-in');
    await shut({ enabled: true });
    await answers(page, 503);
    await page
      .locator('main')
      .getByRole('link', { name: /Sign up/ })
      .click();
    await page.getByRole('heading', { name: 'Under maintenance' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/sign-up');
    expect(await page.locator('header').count()).toBe(0);
  });

  it('R32: lets staff continue during maintenance and shows them that the site is closed', async () => {
    const { page } = await browser.visit();
    await openStaffSession(page.context(), 'gatekeeper');
    await shut({ enabled: true, showDebugInfo: true });
    const stranger = await browser.visit();
    await answers(stranger.page, 503);
    await page.goto('/admin/deals');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByText('You are let in because you are an administrator').count()).toBe(1);
  });

  it('R32: does not cover the sign-in page during maintenance', async () => {
    const { page } = await browser.visit();
    await shut({ enabled: true });
    await answers(page, 503);
    const checked = page.waitForResponse('**/api/health');
    await openHydrated(page, '/sign-in');
    expect((await checked).status()).toBe(200);
    expect(await page.getByRole('region', { name: 'Connection' }).count()).toBe(0);
  });

  it('R32: shows the site to allowed IP addresses during maintenance', async () => {
    const { page } = await browser.visit();
    await shut({ enabled: true });
    await answers(page, 503);
    await shut({ enabled: true, allowedIPs: ['127.0.0.1', '::1'] });
    await answers(page, 200);
    await page.goto('/');
    await page.getByRole('link', { name: 'FAQ' }).first().click();
    await page.getByRole('heading', { level: 1, name: /questions/i }).waitFor();
  });
});

it('P15: shows a gate that reveals neither the site’s name nor its content', async () => {
  const { page } = await browser.visit();
  await shut({ gate: { enabled: true, allowedIPs: ['192.0.2.1'], siteName: 'Elsewhere' } });
  await answers(page, 503);
  await page.goto('/deals');
  expect(await page.getByRole('heading').allTextContents()).toEqual(['Coming Soon']);
  expect(await page.title()).toBe('Coming Soon | Elsewhere');
  expect(await page.content()).not.toContain('Deal Hub');
});
