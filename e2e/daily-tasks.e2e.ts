import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { Db } from '#database/connect.ts';
import { insertBlogPost, insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { type SmtpStandIn, startSmtpStandIn } from '#test/smtp-stand-in.ts';
import { Hand } from './count-presses.ts';
import { useOwnShop } from './current-shop.ts';
import { useBrowser } from './open-browser.ts';
import { openStaffSession, withShopDatabase } from './open-staff-session.ts';
import { openHydrated } from './page-alive.ts';
import { waitForText } from './wait-for-text.ts';

// Tests sixteen everyday tasks, each from the dashboard, with a maximum number of presses.

let smtp: SmtpStandIn;
beforeAll(async () => {
  smtp = await startSmtpStandIn();
});
afterAll(() => smtp.close());
useOwnShop(() => ({ SMTP_URL: `smtp://127.0.0.1:${smtp.port}` }));
const browser = useBrowser();
let page: Page;
let complaints: string[];
const counted: string[] = [];

beforeAll(async () => {
  await withShopDatabase(fill);
  const visitor = await browser.visit({ reducedMotion: 'reduce' });
  ({ page, complaints } = visitor);
  await openStaffSession(page.context(), 'worker', { role: 'super_admin' });
});
afterAll(() => process.stdout.write(`${counted.join('\n')}\n`));

async function fill(db: Db): Promise<void> {
  await writeSiteSetting(db, 'postalAddress', '1 Main St', 'test');
  await insertUser(db, { email: 'mia@mail.example', full_name: 'Mia Member' });
  await insertBlogPost(db, { title: 'Thrown away', slug: 'thrown-away' });
  const store = await insertMerchant(db, { name: 'Store to hide' });
  for (const n of [1, 2]) await insertDeal(db, { title: `Hidden ${n}`, merchant_id: store.id });
  const today = await insertMerchant(db, { name: 'Store of today' });
  await insertDeal(db, { title: 'Lamp of today', merchant_id: today.id });
  await db.deleteFrom('newsletter_subscriptions').execute();
  await db
    .insertInto('newsletter_subscriptions')
    .values({ email: 'reader@mail.example', subscribed_at: new Date(Date.now() - 86_400_000) })
    .execute();
  await db
    .insertInto('contact_messages')
    .values({
      name: 'Ada',
      email: 'ada@mail.example',
      subject: 'A price is wrong',
      message: 'It costs more.',
    })
    .execute();
  await db.insertInto('missed_paths').values({ path: '/old-lamps', visitors: 9 }).execute();
  await db
    .insertInto('feed_sources')
    .values({
      merchant_id: today.id,
      name: 'A folder of feeds',
      kind: 'folder',
      location: 'office',
      format: 'csv',
      mapping: '{}',
      category_mapping: '{}',
      schedule_minutes: 1_440,
    })
    .execute();
}

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const link = (name: string | RegExp) => page.getByRole('link', { name, exact: true }).first();
const field = (name: string) => page.getByLabel(name, { exact: true });
const screen = (name: string) =>
  page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name, exact: true });
const said = (text: string | RegExp) => waitForText(page, text);
const ask = () => page.getByRole('dialog');

/** Performs a task from the dashboard, and returns the number of presses. */
async function does(name: string, task: (hand: Hand) => Promise<void>): Promise<number> {
  await openHydrated(page, '/admin');
  const hand = new Hand(page);
  await task(hand);
  counted.push(`${name}: ${hand.presses}`);
  return hand.presses;
}

test('corrects a price, ends a deal, adds one from its link, and hides a store', async () => {
  const price = await does('correct a price', async (hand) => {
    await hand.click(screen('Deals'));
    await hand.click(button('Change the price of Lamp of today'));
    await field('New price').waitFor();
    await hand.type('12.34');
    await hand.key('Enter');
    await page.locator('tbody').getByText('$12.34').waitFor();
  });
  expect(price).toBeLessThanOrEqual(4);

  const end = await does('end a deal', async (hand) => {
    await hand.click(screen('Deals'));
    await hand.click(link('Lamp of today'));
    const panel = page.getByRole('dialog', { name: /^Edit Deal/ });
    await hand.fill(panel.getByLabel('Expires at'), '2026-01-01T10:00');
    await hand.click(panel.getByRole('button', { name: 'Update Deal' }));
    await said('Deal updated successfully!');
    await page.locator('tbody tr', { hasText: 'Lamp of today' }).getByText('Expired').waitFor();
  });
  expect(end).toBeLessThanOrEqual(4);

  const added = await does('add a deal from a link', async (hand) => {
    await hand.click(screen('Deals'));
    await hand.click(link('Add Deal'));
    const of = (label: string) => ask().getByLabel(label, { exact: true });
    await hand.fill(of('Deal URL'), 'https://shop.example/lamp');
    await hand.fill(of('Title'), 'Lamp from a link');
    await hand.fill(of('Sale Price'), '10');
    await hand.fill(of('Merchant'), 'Store of today');
    await hand.choose(of('Category'), 'Electronics');
    await hand.click(button('Create Deal'));
    await said('Deal created successfully!');
  });
  expect(added).toBeLessThanOrEqual(8);

  const hidden = await does('hide a store', async (hand) => {
    await hand.click(screen('Merchants'));
    await hand.click(button('Actions for Store to hide'));
    await hand.click(page.locator(':popover-open').getByRole('link', { name: 'Its deals' }));
    await hand.check(page.getByLabel('Select all deals on this page'));
    await hand.click(button('Deactivate deals'));
    await said(/2 deals/);
  });
  expect(hidden).toBeLessThanOrEqual(6);
});

test('sends a newsletter, and writes a post with a picture', async () => {
  const newsletter = await does('send a newsletter', async (hand) => {
    await hand.click(screen('Newsletters'));
    await hand.click(link('New Newsletter'));
    await page.waitForURL('**/newsletters/new');
    await hand.fill(field('Subject'), 'Lamps of the week');
    await hand.click(page.locator('[role=textbox][aria-label=Content]'));
    await hand.type('Three lamps.');
    await hand.click(button('Save and preview'));
    await hand.click(button('Send now to 1 subscriber'));
    await hand.click(ask().getByRole('button', { name: 'Send now', exact: true }));
    await said(/Sending to 1 subscriber|It was for 1 subscriber/);
  });
  expect(newsletter).toBeLessThanOrEqual(8);
  await expect.poll(() => smtp.accepted.map(({ to }) => to)).toEqual(['reader@mail.example']);

  const create = { width: 800, height: 600, channels: 3, background: '#a33' } as const;
  const buffer = await sharp({ create }).jpeg().toBuffer();
  const post = await does('publish a post with a picture', async (hand) => {
    await hand.click(screen('Blog'));
    await hand.click(link('New Post'));
    await hand.fill(field('Title'), 'Red light');
    await hand.fill(field('Excerpt'), 'About it.');
    await hand.click(page.locator('[role=textbox][aria-label=Content]'));
    await hand.type('Look.');
    await hand.give(page.locator('main input[type=file]').first(), {
      name: 'lamp.jpg',
      mimeType: 'image/jpeg',
      buffer,
    });
    await expect.poll(() => field('Featured Image URL').inputValue()).toContain('/media/');
    await hand.check(page.getByRole('checkbox', { name: 'Published' }));
    await hand.click(button('Save').last());
    await said('Blog post created successfully!');
  });
  expect(post).toBeLessThanOrEqual(10);
});

test('restores a post, finds a user, answers a report, and adds a subscriber', async () => {
  await openHydrated(page, '/admin/blog');
  await button('Actions for Thrown away').click();
  await page.locator(':popover-open').getByRole('button', { name: 'Delete' }).click();
  await ask().getByRole('button', { name: 'Delete', exact: true }).click();
  await said('Blog post deleted successfully!');
  const restored = await does('undelete a post', async (hand) => {
    await hand.click(screen('Trash'));
    await hand.click(button('Actions for Thrown away'));
    await hand.click(page.locator(':popover-open').getByRole('button', { name: 'Restore' }));
    await said('“Thrown away” is restored.');
  });
  expect(restored).toBeLessThanOrEqual(3);

  const found = await does('find a user', async (hand) => {
    await hand.key('Control+k');
    await hand.fill(page.getByRole('combobox', { name: /^Find/ }), 'mia@mail');
    await page.getByRole('option', { name: /Mia Member/ }).waitFor();
    await hand.key('Enter');
    await page.getByRole('dialog', { name: 'Mia Member' }).waitFor();
  });
  expect(found).toBeLessThanOrEqual(3);

  const answered = await does('answer a report', async (hand) => {
    await hand.click(screen('Messages'));
    await hand.click(link('A price is wrong'));
    await hand.fill(field('Your answer'), 'Thank you, it is corrected.');
    await hand.click(button('Send answer'));
    await said('Thank you, it is corrected.');
  });
  expect(answered).toBeLessThanOrEqual(4);

  const subscriber = await does('add a subscriber', async (hand) => {
    await hand.click(screen('Subscriptions'));
    await hand.click(link('Add subscriber'));
    await hand.fill(ask().getByLabel('Email'), 'new@mail.example');
    await hand.click(button('Ask for confirmation'));
    await ask().waitFor({ state: 'detached' });
  });
  expect(subscriber).toBeLessThanOrEqual(4);
});

test('adds a synonym and a redirect, pauses an import, and checks yesterday’s earnings', async () => {
  const synonym = await does('make a synonym', async (hand) => {
    await hand.click(screen('Search'));
    await hand.fill(field('Words'), 'torch, flashlight');
    await hand.key('Enter');
    await page.getByRole('cell', { name: /torch/ }).first().waitFor();
  });
  expect(synonym).toBeLessThanOrEqual(3);

  const redirect = await does('redirect an old address', async (hand) => {
    await hand.click(screen('Redirects'));
    await hand.click(link('Redirect /old-lamps'));
    await hand.fill(field('New address'), '/deals');
    await hand.click(button('Create Redirect'));
    await ask().waitFor({ state: 'detached' });
  });
  expect(redirect).toBeLessThanOrEqual(4);

  const paused = await does('pause an import', async (hand) => {
    await hand.click(screen('Imports'));
    await hand.click(link('A folder of feeds'));
    await hand.uncheck(field('Active'));
    await hand.click(button('Save source'));
    await said('Source saved.');
  });
  expect(paused).toBeLessThanOrEqual(4);

  const earnings = await does('check yesterday’s earnings', async () => {
    const days = page.getByRole('region', { name: 'Since yesterday' });
    await days.getByRole('columnheader', { name: 'Yesterday' }).waitFor();
    await days.getByText(/Earn/).first().waitFor();
  });
  expect(earnings).toBe(0);
});

test('schedules an ad, and changes the menu', async () => {
  const ad = await does('schedule an ad', async (hand) => {
    await hand.click(screen('Ads'));
    await hand.click(link('New Ad'));
    await hand.fill(ask().getByLabel('Title', { exact: true }), 'Read our newsletter');
    await hand.fill(ask().getByLabel('Link', { exact: true }), '/newsletter');
    await hand.fill(ask().getByLabel('Starts at'), '2099-01-01T10:00');
    await hand.click(button('Create Ad'));
    await said('Ad created.');
  });
  expect(ad).toBeLessThanOrEqual(6);

  const menu = await does('change the menu', async (hand) => {
    await hand.click(screen('Menus'));
    await hand.click(button(/^Move .* down$/).first());
    await said(/moved\./);
  });
  expect(menu).toBe(2);
  expect(counted).toHaveLength(16);
  expect(complaints).toEqual([]);
});
