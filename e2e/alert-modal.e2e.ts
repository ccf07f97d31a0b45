import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStaffSession } from './open-staff-session.ts';
import { useBrowser } from './open-browser.ts';
import { openHydrated } from './page-alive.ts';

const browser = useBrowser({ startsAnew: true });
let page: Page;
let complaints: string[];

beforeEach(async () => {
  ({ page, complaints } = await browser.visit());
  await openStaffSession(page.context(), 'waiter');
  await page.clock.install();
  await openHydrated(page, '/deals');
});

/** Opens the modal of the first deal that has a bell. */
async function openModal(): Promise<{ bell: Locator; dialog: Locator; price: number }> {
  const bell = page
    .locator('main')
    .getByRole('link', { name: /^Price alert: / })
    .first();
  await bell.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'Create Price Alert' }).waitFor();
  const shown = (await dialog.getByText('Current Price').textContent()) ?? '';
  return { bell, dialog, price: Math.round(Number(shown.replace(/[^\d.]/g, '')) * 100) };
}

/**
 * Stops the page's clock one second ahead, because Playwright cannot stop it at a time that has
 * passed.
 */
const stopClock = async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
const centsIn = async (field: Locator) => Math.round(Number(await field.inputValue()) * 100);
describe('the price alert modal', () => {
  it('suggests 90% of the price in the alert dialog, and accepts nothing outside the limits', async () => {
    const { dialog, price } = await openModal();
    const target = dialog.getByLabel('Target Price ($)');
    expect(await centsIn(target)).toBe(Math.round(price * 0.9));
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') asked.push(request.url());
    });
    for (const [typed, says] of [
      ['0', 'Target price must be greater than 0'],
      [String(price / 100 + 1), 'Target price must not be above the current price'],
      ['-5', 'Target price must be greater than 0'],
      ['', 'Please enter a price, such as 19.99'],
      ['1.249', 'Write 1249 or 1.25: 1.249 could be either'],
    ] as const) {
      await target.fill(typed);
      await dialog.getByRole('button', { name: 'Create Alert' }).click();
      await dialog.getByText(says).waitFor();
      expect(await target.getAttribute('aria-invalid')).toBe('true');
    }
    expect(asked).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('sets a target 5, 10 or 20% below the price with one press', async () => {
    const { dialog, price } = await openModal();
    for (const percent of [5, 10, 20]) {
      await dialog.getByRole('button', { name: `−${percent}%` }).click();
      expect(await centsIn(dialog.getByLabel('Target Price ($)'))).toBe(
        Math.round((price * (100 - percent)) / 100),
      );
    }
    await dialog.getByRole('button', { name: 'New low' }).click();
    expect(await dialog.getByLabel('Alert me when').inputValue()).toBe('new_low_90');
    await dialog.getByLabel('Target Price ($)').waitFor({ state: 'hidden' });
  });

  it('keeps the focus in the alert dialog, and restores it without creating an alert on Cancel or Escape', async () => {
    for (const leave of [
      (dialog: Locator) => dialog.getByRole('button', { name: 'Cancel' }).click(),
      () => page.keyboard.press('Escape'),
      (dialog: Locator) => dialog.getByRole('button', { name: 'Close' }).click(),
    ]) {
      const { bell, dialog } = await openModal();
      expect(await dialog.evaluate((box) => box.contains(document.activeElement))).toBe(true);
      await leave(dialog);
      await dialog.waitFor({ state: 'hidden' });
      await expect.poll(() => bell.evaluate((link) => link === document.activeElement)).toBe(true);
    }
    await page.goto('/price-alerts');
    await page.getByRole('heading', { name: 'No Price Alerts' }).waitFor();
  });

  // Proves Storefront 9: Modal 1000 ms, 2000 ms; alert modal 2000 ms; newsletter 5000 ms (auth-dialog.tsx, alert-form.tsx, newsletter-messages.ts)
  it('confirms the new alert, and closes the dialog after two seconds', async () => {
    const { dialog } = await openModal();
    await stopClock();
    await dialog.getByRole('button', { name: 'Create Alert' }).click();
    await dialog
      .getByText(
        "Price Alert Created! We'll notify you when the price drops to your target amount.",
      )
      .waitFor();
    await page.clock.runFor(1_999);
    expect(await dialog.isVisible()).toBe(true);
    await page.clock.runFor(1);
    await dialog.waitFor({ state: 'hidden' });
    await page.clock.resume();
    await page.goto('/price-alerts');
    await page.getByText('1 Active Alert', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('opens an existing alert, changes it, and adds one of another kind', async () => {
    const { bell, dialog, price } = await openModal();
    const title = (await bell.getAttribute('aria-label'))?.replace('Price alert: ', '') ?? '';
    const made = (price * 0.5) / 100;
    await dialog.getByLabel('Target Price ($)').fill(made.toFixed(2));
    await dialog.getByRole('button', { name: 'Create Alert' }).click();
    await dialog.getByRole('status').waitFor();
    await page.keyboard.press('Escape');
    const set = page.locator('main').getByRole('link', { name: `Change price alert: ${title}` });
    for (const renew of [() => Promise.resolve(), () => page.reload()]) {
      await renew();
      await set.first().click();
      await dialog.getByRole('heading', { name: 'Edit Price Alert' }).waitFor();
      expect(Number(await dialog.getByLabel('Target Price ($)').inputValue())).toBeCloseTo(made, 2);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    await set.first().click();
    await dialog.getByRole('button', { name: 'Save Changes' }).waitFor();
    await dialog.getByLabel('Alert me when').selectOption('new_low_90');
    await dialog.getByRole('button', { name: 'Create Alert' }).click();
    await dialog.getByText("Price Alert Created! We'll notify you when it happens.").waitFor();
    await page.keyboard.press('Escape');
    await set.first().click();
    await dialog.getByText(/^You already watch for: \$[\d.,]+; New 90-day low\./).waitFor();
    await dialog.getByLabel('Target Price ($)').fill('0.5');
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await dialog.getByText('Price alert updated.').waitFor();
    await page.goto('/price-alerts');
    await page.getByText('2 Active Alerts', { exact: true }).waitFor();
    await page.getByText('$0.50', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('the newsletter form', () => {
  // Proves Storefront 4: Newsletter messages clear after 5 s (newsletter-form.tsx)
  it('shows an error about the newsletter address for five seconds', async () => {
    await openHydrated(page, '/#newsletter');
    const form = page.locator('#newsletter form');
    const button = form.getByRole('button', { name: 'Subscribe' });
    await form.getByLabel('Email address').focus(); // the captcha starts
    await expect.poll(() => button.isEnabled()).toBe(true);
    await form.getByLabel('Email address').fill('no address');
    await stopClock();
    await button.click();
    const message = form.getByText('Please enter a valid email address');
    await message.waitFor();
    await page.clock.runFor(4_999);
    expect(await message.count()).toBe(1);
    await page.clock.runFor(1);
    await expect.poll(() => message.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('ignores clicks on the newsletter button until the captcha is passed', async () => {
    await openHydrated(page, '/#newsletter');
    const form = page.locator('#newsletter form');
    const button = form.getByRole('button', { name: 'Subscribe' });
    await form.hover(); // Hovering hydrates the form.
    await expect.poll(() => button.isDisabled()).toBe(true);
    await form.getByLabel('Email address').focus();
    await form.getByText('Verified', { exact: true }).waitFor();
    expect(await button.isEnabled()).toBe(true);
  });
});
