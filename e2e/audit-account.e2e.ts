import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { openAndExamine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { runCommand } from './run-command.ts';
import { openAlive } from './page-alive.ts';

const browser = useBrowser();
const signedOut = ['/sign-in', '/sign-up', '/forgot-password', '/resend-verification', '/logout'];
const signedIn = [
  '/profile',
  '/profile/two-factor',
  '/profile/passkeys',
  '/favorites',
  '/price-alerts',
  '/deals',
];

/** In both themes and on a phone, too. */
async function examineAll(page: Page, addresses: string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      for (const address of addresses) {
        const found = await openAndExamine(page, { name: address, address, status: 200 });
        faults.push(...found.map((fault) => `${address}, ${colorScheme}, ${width}: ${fault}`));
      }
    }
  }
  return faults;
}

test('the pages of an account are sound, signed out and in', async () => {
  const owner = JSON.parse(await runCommand('admin', 'create', 'audit@shop.example', '--json'));
  const { page, complaints } = await browser.visit();
  expect(await examineAll(page, signedOut)).toEqual([]);

  await openAlive(page, '/sign-in?returnTo=/profile');
  const main = page.locator('main');
  await main.getByLabel('Email').fill(owner.email);
  await main.getByLabel('Password', { exact: true }).fill(owner.password);
  await main.getByText('Verified', { exact: true }).waitFor();
  await main.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  expect(await examineAll(page, signedIn)).toEqual([]);
  expect(complaints).toEqual([]);
});
