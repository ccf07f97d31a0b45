import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useOwnShop } from './current-shop.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession } from './open-staff-session.ts';
import { openHydrated, untilHydrated } from './page-alive.ts';

useOwnShop();
const browser = useBrowser();

async function dealAddress(page: Page): Promise<string> {
  await page.goto('/deals');
  const title = page.locator('main article:not([data-expired]) a[href^="/deals/"]').first();
  return (await title.getAttribute('href')) ?? '';
}

/** Returns the forms whose main button is not first, or not aligned with the form's left edge. */
function misplaced(page: Page): Promise<string[]> {
  return page
    .locator('main form[method=post]:visible, dialog form:visible')
    .evaluateAll((forms) => {
      if (forms.length === 0) return ['There is no form.'];
      return forms.flatMap((form) => {
        const main = [...form.querySelectorAll<HTMLElement>('button[type=submit]')].at(-1);
        if (!main) return [];
        const first = main.parentElement?.querySelector(':scope > button, :scope > a');
        const gap = main.getBoundingClientRect().left - form.getBoundingClientRect().left;
        const text = main.textContent;
        return first === main && Math.abs(gap) < 2 ? [] : [`${text} at ${gap}`];
      });
    });
}

/** Opens the form to watch a search. */
const watchPage = '/price-alerts/searches/new?of=%2Fdeals%3Fsearch%3Dlamp';
const boxes = (page: Page) => page.locator('[data-captcha] [data-state]:visible');

describe('form buttons', () => {
  it('places a form’s main button first, aligned with the fields', async () => {
    const { page } = await browser.visit();
    const deal = await dealAddress(page);
    for (const address of [
      `${deal}/report?about=over`,
      '/contact',
      '/newsletter',
      '/forgot-password',
      watchPage,
    ]) {
      await openHydrated(page, address);
      expect([address, await misplaced(page)]).toEqual([address, []]);
    }
    for (const [link, name] of [
      ['Report as expired', 'Has this deal expired?'],
      ['Price Alert', 'Create Price Alert'],
    ] as const) {
      await openHydrated(page, deal);
      await page.locator('main').getByText(link, { exact: true }).first().click();
      await page.getByRole('dialog', { name }).waitFor();
      expect([link, await misplaced(page)]).toEqual([link, []]);
    }
  });

  it('places a form’s main button first in the admin', async () => {
    const { page } = await browser.visit();
    await openStaffSession(page.context(), 'forms');
    await openHydrated(page, '/admin/merchants/new');
    expect(await misplaced(page)).toEqual([]);
  });
});

describe('the captcha', () => {
  it.each(['/sign-up', '/sign-in', '/contact', '/forgot-password'])(
    'shows only one captcha on %s, and no newsletter form below',
    async (address) => {
      const { page } = await browser.visit();
      await openHydrated(page, address);
      expect(await boxes(page).count()).toBe(1);
      expect(await page.getByRole('contentinfo').locator('form:visible').count()).toBe(0);
      expect(
        await page.getByRole('contentinfo').getByRole('link', { name: 'Newsletter' }).isVisible(),
      ).toBe(true);
    },
  );

  it('shows the footer’s captcha once its field is focused, if the page has no other captcha', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, '/no-such-page');
    const form = page.getByRole('contentinfo').locator('form');
    await form.scrollIntoViewIfNeeded();
    await form.hover();
    await form.and(page.locator('deal-island[data-awake] form')).waitFor();
    await page.mouse.move(0, 0);
    await form.hover(); // moves the pointer across the hydrated form again
    await untilHydrated(page);
    expect(await boxes(page).count()).toBe(0);
    await form.getByLabel('Email address').focus();
    await boxes(page).waitFor();
    expect(await boxes(page).count()).toBe(1);
  });
});

describe('a message that replaces a form', () => {
  const hasFocus = (page: Page) =>
    page.waitForFunction(() => document.activeElement?.matches('[data-done]'));

  it('focuses the confirmation after a message to the team', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, '/contact');
    const form = page.locator('main form');
    for (const label of ['Name', 'Subject', 'Message']) await form.getByLabel(label).fill('A lamp');
    await form.getByLabel('Email').fill('ann@visitor.example');
    await form.getByRole('button', { name: 'Send Message' }).click();
    await hasFocus(page);
  });

  it('focuses the confirmation after a report', async () => {
    const { page } = await browser.visit();
    const deal = await dealAddress(page);
    await openHydrated(page, `${deal}/report?about=over`);
    await page.getByRole('button', { name: 'Yes, it has expired' }).click();
    await hasFocus(page);
  });

  it('focuses the confirmation after a guest requests an alert', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, await dealAddress(page));
    await page.getByRole('link', { name: 'Price Alert', exact: true }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill('ann@visitor.example');
    await dialog.getByRole('button', { name: 'Create Alert' }).click();
    await hasFocus(page);
  });

  it('focuses the confirmation after a guest watches a search', async () => {
    const { page } = await browser.visit();
    await openHydrated(page, watchPage);
    const form = page.locator('main form');
    await form.getByLabel('Email address').fill('ann@visitor.example');
    await form.getByRole('button', { name: 'Watch' }).click();
    await hasFocus(page);
  });
});

it('shows the whole search query in the header on a phone', async () => {
  const { page } = await browser.visit({ viewport: { width: 390, height: 844 } });
  await page.goto('/deals?search=wireless+on-ear+headphones');
  const field = page.locator('header > div input[name=search]:visible').first();
  expect(await field.inputValue()).toBe('wireless on-ear headphones');
  const isWhole = await field.evaluate((one) => one.scrollWidth <= one.clientWidth);
  expect(isWhole).toBe(true);
  expect((await field.boundingBox())?.width).toBeGreaterThan(200);
});
