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

/** A store with live deals, and one of its deals without a coupon code. */
const someStore = () =>
  withShopDatabase((db) =>
    db
      .selectFrom('deals as d')
      .innerJoin('merchants as m', 'm.id', 'd.merchant_id')
      .select(['m.id', 'm.name', 'm.slug', 'd.slug as deal'])
      .where('d.is_active', '=', true)
      .where('d.is_expired', '=', false)
      .where('d.coupon_code', 'is', null)
      .orderBy('d.id')
      .executeTakeFirstOrThrow(),
  );

async function addCoupon(code: string, title: string) {
  const { id: merchant_id } = await someStore();
  await withShopDatabase((db) =>
    db.insertInto('coupons').values({ merchant_id, code, title }).execute(),
  );
}

const codeOn = (page: Page, code: string) => page.locator('code', { hasText: code });
const reportOf = (page: Page, code: string) =>
  page.getByRole('link', { name: `Does this code work? ${code}` });

describe('coupons', () => {
  test('shows the errors of an uploaded coupon list to staff, and its coupons to visitors', async () => {
    const store = await someStore();
    const { page: desk, complaints } = await browser.visit({ reducedMotion: 'reduce' });
    await openStaffSession(desk.context(), 'coupons');
    await desk.goto('/admin/coupons');
    await desk.getByRole('link', { name: 'Upload a list of coupons' }).click();
    const rows = [
      'store,code,title,terms,end_date',
      `${store.name},TABLE15,15% off tables,New customers only,2099-12-31`,
      `${store.name},CHAIR5,,,2099-12-31`,
      'Nowhere,X1,Anything,,',
    ];
    const buffer = Buffer.from(rows.join('\n'));
    await desk
      .getByLabel('Coupon file')
      .setInputFiles({ name: 'tables.csv', mimeType: 'text/csv', buffer });
    await desk.getByRole('button', { name: 'Continue' }).click();
    await desk.getByRole('heading', { name: '2 rejected rows' }).waitFor();
    await desk.getByText('the title is missing').waitFor();
    expect(await examine(desk)).toEqual([]);
    await desk.getByRole('button', { name: 'Import', exact: true }).click();
    await desk.locator('output').getByText('Imported “tables.csv”').waitFor();
    await desk.getByRole('link', { name: 'TABLE15' }).waitFor();
    expect(await examine(desk)).toEqual([]);

    const { page } = await browser.visit({ viewport: { width: 390, height: 844 } });
    await page.goto('/coupons');
    await codeOn(page, 'TABLE15').waitFor();
    expect(await examine(page)).toEqual([]);
    await page.goto(`/merchants/${store.slug}`);
    await codeOn(page, 'TABLE15').waitFor();
    expect(await examine(page)).toEqual([]);
    await page.goto(`/deals?${new URLSearchParams({ search: `${store.name} coupon` })}`);
    await codeOn(page, 'TABLE15').waitFor();
    expect(await examine(page)).toEqual([]);
    await page.goto(`/deals/${store.deal}`);
    await page.getByText(`1 coupon for ${store.name}`).click();
    await codeOn(page, 'TABLE15').waitFor();
    expect(await examine(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('copies a coupon’s code, and shows a new report on it immediately', async () => {
    await addCoupon('COPY10', '10% off everything');
    const { page, complaints } = await browser.visit();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await openHydrated(page, '/coupons');
    await page.getByRole('button', { name: 'Copy coupon code COPY10' }).click();
    await page.getByText('COPY10 copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('COPY10');
    await reportOf(page, 'COPY10').click();
    const dialog = page.getByRole('dialog', { name: 'Does this code work?' });
    await dialog.getByRole('radio', { name: 'It works', exact: true }).check();
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByText('Thank you for your report.').waitFor();
    await page.getByText('Code worked for 1, last just now').waitFor();
    expect(complaints).toEqual([]);
  });

  test('shows a coupon’s code as text without JavaScript, and accepts reports after a captcha question', async () => {
    await addCoupon('PLAIN20', '20% off everything');
    const { page } = await browser.visit({ javaScriptEnabled: false });
    await page.goto('/coupons');
    await codeOn(page, 'PLAIN20').waitFor();
    await reportOf(page, 'PLAIN20').click();
    await page.getByRole('radio', { name: 'It does not work' }).check();
    await page.getByRole('button', { name: 'Send' }).click();
    const asked = (await page.getByText(/^What is \w+ (plus|minus)/).textContent()) ?? '';
    await page.getByLabel(/^What is \w+ (plus|minus) \w+\?$/).fill(answerTo(asked));
    await page.getByRole('radio', { name: 'It does not work' }).check();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Thank you for your report.').waitFor();
    await page.getByRole('link', { name: /^Back to the coupons of/ }).click();
    await page.getByText('Code did not work for 1, last just now').waitFor();
  });
});
