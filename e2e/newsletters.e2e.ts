import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { freePort } from '#test/free-port.ts';
import { type SmtpStandIn, startSmtpStandIn } from '#test/smtp-stand-in.ts';
import { useOwnShop } from './current-shop.ts';
import { examine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { waitForToast as toast } from './wait-for-text.ts';

const port = await freePort();
useOwnShop(() => ({ SMTP_URL: `smtp://127.0.0.1:${port}` }));
const browser = useBrowser({ showsPictures: true });
let smtp: SmtpStandIn;

beforeAll(async () => {
  const refusal = { at: 'recipient', code: 550, words: 'no such user' } as const;
  smtp = await startSmtpStandIn((to) => (to.startsWith('refused') ? refusal : 'accept'), { port });
  await withShopDatabase(async (db) => {
    await writeSiteSetting(db, 'newsletterPerHour', 36_000, 'test');
    await writeSiteSetting(db, 'postalAddress', '', 'test');
    await sql`delete from newsletter_subscriptions`.execute(db);
    await sql`insert into newsletter_subscriptions (email, subscribed_at)
      select case when n <= 10 then 'refused' else 'reader' end || n || '@mail.example', now() - interval '1 day'
        from generate_series(1, 100) n`.execute(db);
  });
});
afterAll(() => smtp.close());

const editor = (page: Page) => page.locator('[role=textbox][aria-label=Content]');

async function previewUnsaved(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Preview' }).click();
  const mail = page.frameLocator('iframe[title="The email"]');
  await mail.getByRole('link', { name: 'All deals' }).waitFor();
  await mail.getByRole('heading', { name: 'Lamps for long evenings' }).waitFor();
  await page.getByLabel('Dark').check();
  expect(await examine(page)).toEqual([]);
}

async function write(page: Page): Promise<void> {
  await page.goto('/admin/newsletters');
  await page.getByRole('link', { name: 'New Newsletter' }).click();
  // The list also has a field with this name.
  await page.waitForURL('**/newsletters/new');
  await page.getByLabel('Subject', { exact: true }).fill('Lamps for long evenings');
  await page.getByLabel('Preview line', { exact: true }).fill('Three that we would buy');
  await editor(page).click();
  await page.keyboard.type('These are the deals of the week.');
  await page.getByRole('button', { name: 'Deal', exact: true }).click();
  const found = page.getByRole('list', { name: 'Deals found' }).getByRole('button');
  await found.nth(1).waitFor();
  for (const place of [0, 1]) {
    await found.nth(place).click();
    await page.locator('[data-deal-card]').nth(place).waitFor();
  }
  await page.getByLabel('Find a deal').fill('no deal is called so');
  await page.getByText('No live deals match.').waitFor();
  expect(await examine(page)).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Button', exact: true }).click();
  await page.getByLabel('Button label').fill('All deals');
  await page.getByLabel('Button link').fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Insert button' }).click();
  await page.getByText('Start with https://').waitFor();
  await page.getByLabel('Button link').fill('/deals');
  await page.getByRole('button', { name: 'Insert button' }).click();
  await previewUnsaved(page);
  await page.getByRole('tab', { name: 'Source' }).click();
  const source = page.getByRole('textbox', { name: 'Content' });
  expect((await source.inputValue()).match(/<hr data-deal="\d+"/g)).toHaveLength(2);
  await source.fill(`${await source.inputValue()}<hr data-deal="999999" title="A lost lamp">`);
  await page.getByRole('tab', { name: 'Write' }).click();
  // The editor shows this notice about the unknown deal that was typed by hand.
  await page.getByText('Readers see its current price.').waitFor();
  await page.getByRole('button', { name: 'Save and preview' }).click();
  await toast(page, 'Newsletter saved');
}

test('writes, previews and sends a newsletter to a hundred subscribers, ten of whom the mail server rejects', async () => {
  const { page } = await browser.visit({ reducedMotion: 'reduce' });
  const staff = await openStaffSession(page.context(), 'letters');
  await write(page);

  const light = page.frameLocator('iframe[title="The email in light"]');
  await light.getByRole('heading', { name: 'Lamps for long evenings' }).waitFor();
  await light.locator('img').first().waitFor();
  expect(
    await light
      .locator('img')
      .first()
      .evaluate((one: HTMLImageElement) => one.naturalWidth),
  ).toBeGreaterThan(0);
  await page.getByLabel('Dark').check();
  const dark = page.frameLocator('iframe[title="The email in dark"]');
  await dark.getByText('These are the deals of the week.').waitFor();
  const colour = await dark
    .locator('body')
    .evaluate((body) => getComputedStyle(body).backgroundColor);
  expect(colour).toBe('rgb(20, 19, 18)');
  await page.getByText('A lost lamp is no longer on the site.').waitFor();
  expect(await examine(page)).toEqual([]);

  await page.getByLabel('Postal address').fill('Deal Hub Ltd\n12 Market Street');
  await page.getByRole('button', { name: 'Save address' }).click();
  await toast(page, 'The postal address is saved and included in every email.');
  await page.getByRole('button', { name: 'Send me a test' }).click();
  await toast(page, `The test is on its way to ${staff}@staff.example.`);
  await expect.poll(() => smtp.accepted.map(({ to }) => to)).toEqual([`${staff}@staff.example`]);

  await page.getByRole('button', { name: 'Send now to 100 subscribers' }).click();
  const question = page.getByRole('dialog', { name: 'Send this to 100 subscribers?' });
  await question.getByRole('button', { name: 'Send now', exact: true }).dblclick();
  await toast(page, /Sending to 100 subscribers|already being sent/);
  await page.getByText(/^Finished .* It was for 100 subscribers\.$/).waitFor({ timeout: 180_000 });
  const figure = (name: string) =>
    page.locator('dl > div').filter({ hasText: name }).locator('dd').textContent();
  expect([await figure('Sent'), await figure('Failed')]).toEqual(['90', '10']);
  const readers = smtp.accepted.map(({ to }) => to).filter((to) => to.startsWith('reader'));
  expect([readers.length, new Set(readers).size]).toEqual([90, 90]);
  expect(await examine(page)).toEqual([]);

  const { raw = '' } = smtp.accepted.at(-1) ?? {};
  expect(raw).toMatch(/^List-Unsubscribe:/m);
  const { html = '' } = await PostalMime.parse(raw);
  const [way = ''] = /\/out\/newsletter\/\d+\/\d+/.exec(html) ?? [];
  // Clicks by bots are not counted, and this browser identifies itself as a bot.
  const reader = await browser.visit({
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  });
  await reader.page.goto(way);
  await reader.page.waitForURL('**/deals/**');
  await reader.page.context().close();
  await page.reload();
  await expect.poll(() => figure('Clicks')).toBe('1');
  await page.context().close();
});
