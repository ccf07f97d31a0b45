import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { useBrowser } from './open-browser.ts';
import { runCommand } from './run-command.ts';
import { openHydrated } from './page-alive.ts';

const browser = useBrowser();

/** A virtual authenticator that verifies its user without a prompt. */
async function withDevice(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

// Proves Storefront 4: Authentication: passkeys (R50)
test('R50: adds a passkey, signs in with it on the page and in the dialog, and removes it', async () => {
  const owner = JSON.parse(await runCommand('admin', 'create', 'keys@shop.example', '--json'));
  const { page, complaints } = await browser.visit();
  await withDevice(page);
  const main = page.locator('main');

  await openHydrated(page, '/sign-in?returnTo=/profile/passkeys');
  await main.getByLabel('Email').fill(owner.email);
  await main.getByLabel('Password', { exact: true }).fill(owner.password);
  await main.getByText('Verified', { exact: true }).waitFor();
  await main.getByRole('button', { name: 'Sign In', exact: true }).click();
  await main.getByText('You have no passkeys yet.').waitFor();

  await main.getByLabel('Name').fill('Work laptop');
  await main.getByLabel('Your password').fill(owner.password);
  await main.getByRole('button', { name: 'Add a passkey' }).click();
  await main.getByText('Your passkey has been added. You can sign in with it now.').waitFor();
  await main.getByText('never used').waitFor();

  const signOut = async () => {
    await page.context().clearCookies();
    await openHydrated(page, '/deals');
  };
  await signOut();
  await page.getByRole('link', { name: 'Sign In', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await page.route('**/api/passkeys/sign-in**', (route) =>
    route.fulfill({ status: 503, body: 'busy' }),
  );
  await dialog.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await dialog.getByText('An error occurred').waitFor(); // The error screen does not appear.
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await dialog.getByText('Login successful!').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  await page.locator('header summary', { hasText: 'keys' }).waitFor();

  await signOut();
  await openHydrated(page, '/sign-in?returnTo=/profile/passkeys');
  await main.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await main.getByText('last used').waitFor();
  await main.getByText('Remove Work laptop').click();
  // The authenticator identifies the user, and the form is submitted automatically, without any
  // typing.
  await main.locator('details').getByRole('button', { name: 'Confirm with a passkey' }).click();
  await main
    .getByText('The passkey has been removed and can no longer be used to sign in.')
    .waitFor();

  await signOut();
  await openHydrated(page, '/sign-in');
  await main.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await main.getByText('This passkey was not accepted.').waitFor();
  // The browser itself logs the status of rejected requests.
  expect(complaints.filter((text) => !/422|503/.test(text))).toEqual([]);
});
