import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { useBrowser } from './open-browser.ts';

const browser = useBrowser();
const password = 'walking the hills';

/** The captcha starts once the form is touched; the button waits for it. */
async function submitWhenVerified(page: Page, form: string, name: string): Promise<void> {
  const button = page.locator(form).getByRole('button', { name, exact: true });
  await expect.poll(() => button.isEnabled()).toBe(true);
  await button.click();
}

// Proves Storefront 2: Header: Sign In, user menu (user-menu.tsx)
// Proves Storefront 2: Sign In / Sign Up modal (auth-dialog.tsx)
// Proves Storefront 4: Sign-in modal: switching clears it (auth-dialog.tsx)
// Proves Storefront 8: Sign-in success: “Login successful!” (account-messages.ts)
// Proves Storefront 8: Sign-up success (account-messages.ts)
// Proves Back office 4: Logout: steps, then redirect (logout-page.tsx)
test('signs a visitor up, in and out through the dialog, then in again on the page', async () => {
  const { page, complaints } = await browser.visit();
  const email = `journey-${Date.now()}@mail.example`;
  await page.goto('/deals');
  await page.getByRole('link', { name: 'Sign In', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const hasFocus = (label: string) =>
    dialog.getByLabel(label).evaluate((field) => field === document.activeElement);
  await expect.poll(() => hasFocus('Email')).toBe(true);
  await dialog.getByRole('button', { name: "Don't have an account? Sign up" }).click();
  await expect.poll(() => hasFocus('Full Name')).toBe(true);
  await dialog.getByLabel('Full Name').fill('Jo Journey');
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await submitWhenVerified(page, 'dialog', 'Sign Up');
  await dialog
    .getByText('Sign up successful! Please check your email to verify your account.')
    .waitFor();

  await dialog.getByRole('heading', { name: 'Sign In' }).waitFor();
  expect(await dialog.getByLabel('Email').inputValue()).toBe('');
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await submitWhenVerified(page, 'dialog', 'Sign In');
  await dialog.getByText('Login successful!').waitFor();
  await dialog.waitFor({ state: 'hidden' });

  await page.locator('header summary', { hasText: 'journey-' }).click();
  await page.getByText('Role: user').waitFor();
  const shownSteps = await watchProgress(page);
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await page.getByText('Logout completed. Redirecting...').waitFor();
  await page.waitForURL((url) => url.pathname === '/');
  expect(shownSteps).toEqual([25, 50, 75, 90, 100]);
  await page.getByRole('link', { name: 'Sign In', exact: true }).waitFor();
  expect(await page.context().cookies()).toEqual([]);

  await page.goto('/profile');
  await page.locator('main').getByLabel('Email').fill(email);
  await page.locator('main').getByLabel('Password', { exact: true }).fill(password);
  await submitWhenVerified(page, 'main', 'Sign In');
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  expect(complaints).toEqual([]);
});

/** Records every value of the logout page's progress bar, however briefly it is shown. */
async function watchProgress(page: Page): Promise<number[]> {
  const values: number[] = [];
  await page.exposeFunction('noteProgress', (value: number) => values.push(value));
  await page.addInitScript(() => {
    let last: number | undefined;
    new MutationObserver(() => {
      const value = document.querySelector('progress')?.value;
      if (value === undefined || value === last) return;
      last = value;
      (window as unknown as { noteProgress(value: number): void }).noteProgress(value);
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  return values;
}
