import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { answerTo } from '#test/visitor.ts';
import { useOwnShop } from './current-shop.ts';
import { examine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { openHydrated } from './page-alive.ts';

useOwnShop();
const browser = useBrowser();

/** Live deals with a coupon code, one for each test. */
const dealWithCode = (place: number) =>
  withShopDatabase((db) =>
    db
      .selectFrom('deals')
      .select(['id', 'slug', 'title'])
      .where('coupon_code', 'is not', null)
      .where('is_active', '=', true)
      .where('is_expired', '=', false)
      .orderBy('id')
      .offset(place)
      .limit(1)
      .executeTakeFirstOrThrow(),
  );
const say = (page: Page, link: string) => page.locator('main').getByText(link, { exact: true });

describe("visitors' reports", () => {
  test('shows that three visitors reported a deal as expired, and lets staff end it', async () => {
    const deal = await dealWithCode(0);
    await withShopDatabase((db) =>
      db
        .insertInto('deal_reports')
        .values(['a', 'b'].map((visitor) => ({ deal_id: deal.id, about: 'over', visitor })))
        .execute(),
    );
    const { page, complaints } = await browser.visit();
    await openHydrated(page, `/deals/${deal.slug}`);
    await say(page, 'Report as expired').click();
    const dialog = page.getByRole('dialog', { name: 'Has this deal expired?' });
    await dialog.getByRole('button', { name: 'Yes, it has expired' }).click();
    await dialog.getByText('Thank you for your report.').waitFor();
    await page.getByText(/^Reported expired by 3, last checked .* ago\.$/).waitFor();
    expect(await examine(page)).toEqual([]);
    expect(complaints).toEqual([]);

    const { page: desk } = await browser.visit({ reducedMotion: 'reduce' });
    await openStaffSession(desk.context(), 'reports');
    await desk.goto('/admin');
    await desk.getByRole('link', { name: /1 live deal is reported expired/ }).click();
    await desk.getByText('Reported expired by 3').waitFor();
    expect(await examine(desk)).toEqual([]);
    await desk.getByRole('button', { name: `Actions for ${deal.title}` }).click();
    await desk.getByRole('button', { name: 'Mark as expired' }).click();
    await desk.locator('output').getByText('Changed the expiry of 1 deal.').waitFor();
    await desk.getByText('No deals found').waitFor();
    await page.reload();
    await page.getByText('This deal has expired.', { exact: false }).first().waitFor();
    expect(await say(page, 'Report as expired').count()).toBe(0);
  });

  test('reports on a coupon code by keyboard, and shows the time of the report', async () => {
    const deal = await dealWithCode(1);
    const { page, complaints } = await browser.visit({ viewport: { width: 390, height: 844 } });
    await openHydrated(page, `/deals/${deal.slug}`);
    await say(page, 'Does this code work?').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Does this code work?' });
    await dialog.getByRole('radio', { name: 'It does not work' }).focus();
    await page.keyboard.press('Space');
    expect(await examine(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.getByText('Thank you for your report.').waitFor();
    await page.getByText('Code did not work for 1, last just now.').waitFor();
    expect(complaints).toEqual([]);
  });

  test('accepts a report without JavaScript, on a separate page with a captcha question', async () => {
    const deal = await dealWithCode(2);
    const { page } = await browser.visit({ javaScriptEnabled: false });
    await page.goto(`/deals/${deal.slug}`);
    await say(page, 'Does this code work?').click();
    await page.getByRole('heading', { name: 'Does this code work?' }).waitFor();
    await page.getByRole('radio', { name: 'It works', exact: true }).check();
    await page.getByRole('button', { name: 'Send' }).click();
    const question = page.getByLabel(/^What is \w+ (plus|minus) \w+\?$/);
    const asked = (await page.getByText(/^What is \w+ (plus|minus)/).textContent()) ?? '';
    await question.fill(answerTo(asked));
    await page.getByRole('radio', { name: 'It works', exact: true }).check();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Thank you for your report.').waitFor();
    await page.getByRole('link', { name: 'Back to the deal' }).click();
    await page.getByText('Code worked for 1, last just now.').waitFor();
  });
});
