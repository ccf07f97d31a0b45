import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { mailAccount } from '#app/features/accounts/people/mail-account.server.ts';
import { mailedPath } from '#test/mailed-path.ts';
import { givePassword, signIn, staffPassword } from '#test/staff.ts';
import { currentShop } from './current-shop.ts';
import { everyLook, examine, openAndExamineIn, type Seen } from './examine-page.ts';
import { sentFaults } from './html-faults.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { runCommand } from './run-command.ts';
import { openHydrated } from './page-alive.ts';

const browser = useBrowser({ showsPictures: true });
const signedOut = ['/sign-in', '/sign-up', '/forgot-password', '/resend-verification', '/logout'];
const signedIn = [
  '/profile',
  '/profile/two-factor',
  '/profile/passkeys',
  '/favorites',
  '/for-you',
  '/price-alerts',
  '/deals',
];

const seen: Seen = new Set();

/** Audits pages in both themes, on a desktop and on a phone. */
async function examineAll(page: Page, addresses: string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const address of addresses) {
    const kind = { name: address, address, status: 200 };
    const found = await openAndExamineIn(everyLook, page, kind, seen);
    for (const [n, list] of found.entries()) {
      const { colorScheme, width } = everyLook[n] ?? {};
      faults.push(...list.map((fault) => `${address}, ${colorScheme}, ${width}: ${fault}`));
    }
  }
  return faults;
}

test('passes the audit on account pages, both signed out and signed in', async () => {
  const owner = JSON.parse(await runCommand('admin', 'create', 'audit@shop.example', '--json'));
  const { page, complaints } = await browser.visit();
  expect(await examineAll(page, signedOut)).toEqual([]);

  await openHydrated(page, '/sign-in?returnTo=/profile');
  const main = page.locator('main');
  await main.getByLabel('Email').fill(owner.email);
  await main.getByLabel('Password', { exact: true }).fill(owner.password);
  await main.getByText('Verified', { exact: true }).waitFor();
  await main.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  expect(await examineAll(page, signedIn)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('R59: shows that an account is unverified on its pages, and passes the audit', async () => {
  const { origin } = currentShop();
  const email = 'unproved@journey.example';
  const { page, complaints } = await browser.visit();
  const { id, link } = await withShopDatabase(async (db) => {
    const { user, cookie } = await signIn({ db }, { email, email_verified: false }, origin);
    await givePassword({ db }, user.id);
    const [name = '', value = ''] = cookie.split('=');
    await page.context().addCookies([{ name, value, url: origin }]);
    const deal = await db.selectFrom('deals').select('id').limit(1).executeTakeFirstOrThrow();
    await db
      .insertInto('price_alerts')
      .values({ user_id: user.id, deal_id: deal.id, target_price: 100 })
      .execute();
    await db.transaction().execute((tx) => mailAccount(tx, 'verify-email', user));
    return { id: user.id, link: await mailedPath(db, 'verify-email', email) };
  });
  const addresses = ['/profile', '/price-alerts', '/resend-verification?first', link];
  expect(await examineAll(page, addresses)).toEqual([]);
  for (const address of addresses) expect((await sentFaults(page, address)).faults).toEqual([]);

  await openHydrated(page, link);
  const main = page.locator('main');
  await main.getByLabel('Password', { exact: true }).fill('not my password');
  await main.getByRole('button', { name: 'Verify my email address' }).click();
  await main.getByText('That password is incorrect').waitFor();
  complaints.splice(0); // the browser reports the status 422
  await main.getByLabel('Password', { exact: true }).fill(staffPassword);
  await main.getByRole('button', { name: 'Verify my email address' }).click();
  await main.getByText('Your email address is verified, and you are signed in.').waitFor();
  await main.getByRole('link', { name: 'Go to your profile' }).click();
  await main.getByRole('link', { name: 'Add a passkey' }).waitFor();
  expect(complaints).toEqual([]);

  await withShopDatabase((db) =>
    db.updateTable('users').set({ email_verified: false }).where('id', '=', id).execute(),
  );
  const staff = await browser.visit();
  const rights = { role: 'super_admin', password: staffPassword } as const;
  await openStaffSession(staff.page.context(), 'audit-unproved', rights);
  expect(await examineAll(staff.page, [`/admin/users/${id}`])).toEqual([]);
  await staff.page.getByText('This address is not verified yet').waitFor();
});

test('R64: passes the audit on the warning before staff lock themselves out', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await browser.visit({ colorScheme, reducedMotion: 'reduce' });
    const rights = { role: 'admin', password: staffPassword } as const;
    await openStaffSession(page.context(), `audit-second-step-${colorScheme}`, rights);
    await openHydrated(page, '/admin/settings?section=staff');
    await page.getByLabel('Require two-factor for staff').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('this would lock you out at once').waitFor();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await examine(page)).toEqual([]);
    }
    await page.getByRole('link', { name: 'Set up an authenticator app first' }).click();
    await page.waitForURL('**/profile/two-factor?returnTo=*');
  }
});
