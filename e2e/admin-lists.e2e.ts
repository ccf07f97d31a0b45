import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { adminScreens, fillAdmin, type Things } from './admin-screens.ts';
import { currentShop, useOwnShop } from './current-shop.ts';
import { examine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { openHydrated } from './page-alive.ts';

useOwnShop();
const browser = useBrowser({ showsPictures: true });

async function staff(options: BrowserContextOptions = {}) {
  const visitor = await browser.visit({ reducedMotion: 'reduce', ...options });
  await openStaffSession(visitor.page.context(), 'lists', { role: 'super_admin' });
  return visitor;
}

const firstRow = (page: Page) =>
  page.evaluate(() => {
    const row = document.querySelector('main tbody tr, main [data-row]');
    return (row?.getBoundingClientRect().top ?? Number.NaN) + scrollY;
  });

describe('an admin list', () => {
  test.each([1280, 1920])(
    'shows the filters in one line above the first row at %i pixels',
    async (width) => {
      const { page } = await staff({ viewport: { width, height: 800 } });
      for (const list of ['deals', 'categories', 'merchants', 'users', 'blog', 'pages']) {
        await page.goto(`/admin/${list}`);
        expect([list, (await firstRow(page)) < 300]).toEqual([list, true]);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([list, wide]).toEqual([list, 0]);
      }
      await page.goto('/admin/deals?status=inactive&stock=out&seller=unverified&show=unclicked');
      const tops = await page
        .getByRole('form', { name: 'Filters' })
        .locator('select, input[type=search]')
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().bottom)));
      expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(4);
    },
  );

  test('uses the full width of a large screen', async () => {
    const { page } = await staff({ viewport: { width: 1920, height: 1080 } });
    await page.goto('/admin/deals');
    const box = await page.locator('main table').boundingBox();
    expect(1920 - (box?.x ?? 0) - (box?.width ?? 0)).toBeLessThan(64);
  });
});

const rowOf = (page: Page, at: number) => page.locator('tbody tr').nth(at);
const panel = (page: Page) => page.getByRole('dialog', { name: /^Edit Deal/ });
const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('name') ?? document.activeElement?.textContent,
  );

describe('the side panel of a deal', () => {
  test('opens a deal in a side panel, moves to the next one, saves, and keeps the scroll position', async () => {
    const { page, complaints } = await staff();
    await openHydrated(page, '/admin/deals?sort=title');
    const links = page.locator('tbody [data-key-open]');
    const [third = '', fourth = ''] = (await links.allInnerTexts()).slice(20);
    await links.nth(20).scrollIntoViewIfNeeded();
    const place = await page.evaluate(() => scrollY);
    expect(place).toBeGreaterThan(0);
    await links.nth(20).click();
    await panel(page).getByRole('heading', { name: third, level: 2 }).waitFor();
    expect(await focused(page)).toBe('title');
    const box = await panel(page).boundingBox();
    expect([(box?.x ?? 0) > 400, (box?.x ?? 0) + (box?.width ?? 0)]).toEqual([true, 1280]);
    expect(await examine(page)).toEqual([]);

    await panel(page).getByRole('link', { name: /^Next/ }).click();
    await panel(page).getByRole('heading', { name: fourth, level: 2 }).waitFor();
    await page.goBack();
    await panel(page).getByRole('heading', { name: third, level: 2 }).waitFor();
    await page.reload();
    await panel(page).getByRole('heading', { name: third, level: 2 }).waitFor();
    await panel(page).getByLabel('Coupon Code').fill('PANEL');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    expect(await focused(page)).toBe('Stay');
    await page.keyboard.press('Enter');
    await panel(page).getByRole('button', { name: 'Update Deal' }).click();
    await page.locator('output').getByText('Deal updated successfully!').waitFor();
    expect(new URL(page.url()).search).toBe('?sort=title');
    expect(complaints).toEqual([]);
  });

  test('returns the focus to the row and keeps the scroll position when Escape closes the panel', async () => {
    const { page } = await staff();
    await openHydrated(page, '/admin/deals');
    const link = rowOf(page, 15).locator('[data-key-open]');
    await link.scrollIntoViewIfNeeded();
    const place = await page.evaluate(() => scrollY);
    await link.click();
    await panel(page).waitFor();
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await expect.poll(() => link.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await panel(page).waitFor();
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => scrollY)).toBe(place);
    // The last deal of the page has no next one, and the focus stays in the panel.
    await rowOf(page, 48).locator('[data-key-open]').click();
    await panel(page).getByRole('link', { name: /^Next/ }).click();
    await panel(page).getByRole('button', { name: 'Next' }).waitFor();
    expect(await focused(page)).toBe('title');
  });

  test('shows the form and its links above the list without JavaScript', async () => {
    const { page } = await staff({ javaScriptEnabled: false });
    await page.goto('/admin/deals');
    const title = await rowOf(page, 1).locator('[data-key-open]').innerText();
    await rowOf(page, 0).locator('[data-key-open]').click();
    await page.getByRole('link', { name: /^Next deal/ }).click();
    await page.getByRole('heading', { name: title, level: 2 }).waitFor();
    await page.getByRole('button', { name: 'Update Deal' }).click();
    await page.getByText('Deal updated successfully!').waitFor();
  });
});

describe('the dialogs', () => {
  let things: Things;
  beforeAll(async () => {
    things = await withShopDatabase((db) => fillAdmin(db, currentShop().folder));
  });

  test('focuses the first field of a dialog, or its least destructive button if it has no field', async () => {
    const { page } = await staff();
    const wrong: string[] = [];
    let count = 0;
    const check = async (where: string) => {
      const fault = await page.evaluate(() => {
        const dialog = [...document.querySelectorAll('dialog:modal')].at(-1);
        const active = document.activeElement;
        const isShown = (one: Element) => one.checkVisibility({ visibilityProperty: true });
        const field = [
          ...(dialog?.querySelectorAll('input:not([type=hidden]), select, textarea') ?? []),
        ].find((one) => isShown(one) && !(one as HTMLInputElement).disabled);
        if (!dialog || !active || !dialog.contains(active)) return 'nothing has the focus';
        if (field) return active === field ? '' : `focused ${active.outerHTML.slice(0, 80)}`;
        const isSafe = active.getAttribute('type') !== 'submit' && active.ariaLabel !== 'Close';
        return isSafe ? '' : `focused ${active.textContent}`;
      });
      count += 1;
      if (fault) wrong.push(`${where}: ${fault}`);
    };
    for (const screens of Object.values(adminScreens)) {
      if (typeof screens === 'string') continue;
      for (const { address: pattern, status } of screens) {
        if (status !== 200) continue;
        const address = pattern.replaceAll(/\{(\w+)\}/g, (_, name: keyof Things) =>
          String(things[name]),
        );
        await openHydrated(page, address);
        if ((await page.locator('dialog:modal').count()) > 0) {
          await check(address);
          continue;
        }
        const ids = await page
          .locator('dialog:not([open])')
          .evaluateAll((all) => all.map(({ id }) => id).filter(Boolean));
        for (const id of ids.slice(0, 4)) {
          await page.evaluate((name) => {
            const dialog = document.querySelector<HTMLDialogElement>(`[id="${name}"]`);
            for (let at = dialog?.parentElement; at; at = at.parentElement) {
              if (at.matches('[popover]:not(:popover-open)')) at.showPopover();
            }
            dialog?.showModal();
          }, id);
          await check(`${address} ${id}`);
          await page.evaluate((name) => {
            document.querySelector<HTMLDialogElement>(`[id="${name}"]`)?.close();
          }, id);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(40);
  });
});
