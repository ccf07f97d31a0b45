import { expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import { givePassword, staffPassword } from '#test/staff.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { openHydrated } from './page-alive.ts';

const browser = useBrowser();

test('creates a custom role, limits a colleague to its screens, and signs the colleague out', async () => {
  const email = 'wanda@roles.example';
  await withShopDatabase(async (db) => {
    await insertUser(db, { id: 'wanda', email, full_name: 'Wanda of roles', role: 'admin' });
    await givePassword({ db }, 'wanda');
  });
  const { page, complaints } = await browser.visit({ reducedMotion: 'reduce' });
  const rights = { role: 'super_admin', password: staffPassword } as const;
  await openStaffSession(page.context(), 'roles', rights);

  await openHydrated(page, '/admin/roles');
  await page.getByRole('button', { name: 'Actions for Writer' }).click();
  await page.locator(':popover-open').getByText('Copy', { exact: true }).click();
  const form = page.getByRole('dialog', { name: 'New role' });
  await form.getByLabel('Name').fill('Night shift');
  expect(await form.getByLabel('Write and publish posts and pages').isChecked()).toBe(true);
  await form.getByLabel('Read and answer messages').check();
  await form.getByLabel('View the dashboard').uncheck();
  await form.getByLabel('Your password').fill(staffPassword);
  await form.getByRole('button', { name: 'Create role' }).click();
  await page.locator('output').getByText('Role created.').waitFor();

  await openHydrated(page, '/admin/users/wanda');
  const user = page.getByRole('dialog', { name: 'Wanda of roles' });
  await user.getByLabel('Role').selectOption('Night shift');
  await user.getByLabel('Your password').fill(staffPassword);
  await user.getByRole('button', { name: 'Change role' }).click();
  await page.locator('output').getByText('User role updated successfully!').waitFor();

  const wanda = await browser.visit({ reducedMotion: 'reduce' });
  await wanda.page.goto('/sign-in?returnTo=%2Fadmin%2Fmessages');
  const main = wanda.page.getByRole('main');
  await main.getByLabel('Email', { exact: true }).fill(email);
  await main.getByLabel('Password', { exact: true }).fill(staffPassword);
  await main.getByRole('button', { name: 'Sign In', exact: true }).click();
  await wanda.page.waitForURL('**/admin/messages');
  const nav = wanda.page.locator('#admin-nav');
  await nav.getByRole('link', { name: 'Blog' }).waitFor();
  expect(await nav.getByRole('link', { name: 'Settings' }).count()).toBe(0);
  expect(await nav.getByRole('link', { name: 'Dashboard' }).count()).toBe(0);
  await wanda.page.goto('/admin/deals');
  await wanda.page.getByRole('heading', { name: 'Deal Management' }).waitFor();
  expect(await wanda.page.getByRole('link', { name: 'Add Deal' }).count()).toBe(0);
  const refused = await wanda.page.goto('/admin/settings');
  expect(refused?.status()).toBe(403);
  await wanda.page.getByText('Your role does not include this screen.').waitFor();

  await openHydrated(page, '/admin/users/wanda');
  await user.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page
    .getByRole('dialog', { name: 'Sign Wanda of roles out everywhere?' })
    .getByRole('button', { name: 'Sign out everywhere' })
    .click();
  await user.getByText('Not signed in anywhere.').waitFor();
  const ended = await wanda.page.goto('/admin/messages');
  expect(ended?.status()).toBe(401);
  expect(complaints).toEqual([]);
});
