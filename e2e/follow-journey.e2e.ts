import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import { givePassword, staffPassword } from '#test/staff.ts';
import { useBrowser } from './open-browser.ts';
import { withShopDatabase } from './open-staff-session.ts';
import { waitForText } from './wait-for-text.ts';

const browser = useBrowser();

/** Returns the email address of a new account. */
const insertAccount = () =>
  withShopDatabase(async (db) => {
    const email = `follower-${Date.now()}@mail.example`;
    const { id } = await insertUser(db, { email });
    await givePassword({ db }, id);
    return email;
  });

async function signIn(page: Page, email: string): Promise<void> {
  const form = page.locator('main');
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Password', { exact: true }).fill(staffPassword);
  await form.getByRole('button', { name: 'Sign In', exact: true }).click(); // waits for the captcha
}

it('follows a store after sign-in, shows why its deals appear, and unfollows it with Undo', async () => {
  const email = await insertAccount();
  const { page, complaints } = await browser.visit();
  await page.goto('/merchants');
  await page.locator('main a[href^="/merchants/"]').first().click();
  await page.waitForURL(/\/merchants\/./);
  const { pathname } = new URL(page.url());
  const name = (await page.locator('h1').textContent()) ?? '';
  await page.getByRole('button', { name: `Follow ${name}` }).click();
  await page.waitForURL((url) => url.pathname === '/sign-in');
  await signIn(page, email);
  await page.waitForURL((url) => url.pathname === pathname);
  await page.getByRole('button', { name: `Following ${name}`, pressed: true }).waitFor();

  await page.goto('/for-you');
  await waitForText(page, `Because you follow ${name}`);
  await page.getByLabel('Email me once a week').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await waitForText(page, 'Saved');

  await page.getByRole('button', { name: `Unfollow ${name}` }).click();
  await waitForText(page, `You no longer follow ${name}.`);
  await waitForText(page, 'Follow something to get started');
  await page.getByRole('button', { name: 'Undo' }).click();
  await waitForText(page, `Because you follow ${name}`);
  await page.reload();
  expect(await page.getByLabel('Email me once a week').isChecked()).toBe(true);
  expect(complaints).toEqual([]);
});
