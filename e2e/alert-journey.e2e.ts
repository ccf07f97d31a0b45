import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importFeed } from '#app/features/feeds/runs/import-feed.server.ts';
import { listOutbox } from '#app/platform/mail/outbox-queries.server.ts';
import { readQuestion } from '#test/visitor.ts';
import { useOwnShop } from './current-shop.ts';
import { examine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { withShopDatabase } from './open-staff-session.ts';
import { openHydrated } from './page-alive.ts';
import { runCommand } from './run-command.ts';

useOwnShop();
const browser = useBrowser();
const password = 'walking the hills';
let folder = '';
let admin: { email: string; password: string };

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'alert-journey-'));
  admin = JSON.parse(await runCommand('admin', 'create', 'owner@shop.example', '--json'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Imports a feed with this product, which creates its deal or updates its price. */
async function importLamp(id: string, price: string): Promise<void> {
  const feed = path.join(folder, `${id}.csv`);
  await writeFile(
    feed,
    'Product ID;Product Name;Price;Currency;URL;Root Category;In Stock\n' +
      `${id};Lighthouse lamp ${id};${price};USD;https://lamps.example/${id};Lamps;true\n`,
  );
  const outcome = await withShopDatabase((db) =>
    importFeed(db, { file: feed }, { merchant: 'Lamps of the Journey' }),
  );
  expect(outcome.state).toBe('done');
}

/**
 * Returns the emails to one address, newest first. Reads them from the database, because running a
 * command for each would take seconds.
 */
async function mailsTo(recipient: string) {
  const mails = await withShopDatabase((db) => listOutbox(db, { state: null, limit: 100 }));
  return mails.filter((mail) => mail.recipient === recipient);
}

async function findMail(recipient: string, kind: string): Promise<number> {
  const find = async () => (await mailsTo(recipient)).find((mail) => mail.kind === kind)?.id ?? 0;
  await expect.poll(find).toBeGreaterThan(0);
  return await find();
}

const linkIn = (text: string, start: string): string =>
  new RegExp(`https?://\\S+${start}[^\\s>]+`).exec(text)?.[0] ?? '';

/** The captcha starts once the form is touched. */
async function submitWhenVerified(page: Page, form: string, name: string): Promise<void> {
  const button = page.locator(form).getByRole('button', { name, exact: true });
  await page.locator(form).getByText('Verified', { exact: true }).waitFor();
  await expect.poll(() => button.isEnabled()).toBe(true);
  await button.press('Enter');
}

// Proves Storefront 5: Alert edit: Save disabled when saving, empty or 0
test('signs a new user up, verifies the email, saves two deals, and notifies the user when a price drops', async () => {
  const lamp = `a${Date.now()}`;
  await importLamp(lamp, '100.00');
  const email = `alert-${lamp}@mail.example`;
  const { page, complaints } = await browser.visit();

  await openHydrated(page, '/sign-up');
  const form = page.locator('main');
  await form.getByLabel('Full Name').fill('Jo Journey');
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Password', { exact: true }).fill(password);
  await submitWhenVerified(page, 'main', 'Sign Up');
  await page
    .getByText('Sign up successful! Please check your email to verify your account.')
    .first()
    .waitFor();

  // The shop has no mail server, so its owner reads the outbox and prints the link on the server.
  const owner = await browser.visit();
  await openHydrated(owner.page, '/sign-in?returnTo=/admin/outbox');
  await owner.page.locator('main').getByLabel('Email').fill(admin.email);
  await owner.page.locator('main').getByLabel('Password', { exact: true }).fill(admin.password);
  await submitWhenVerified(owner.page, 'main', 'Sign In');
  await owner.page.waitForURL((url) => url.pathname === '/admin/outbox');
  await owner.page.goto(`/admin/outbox/${await findMail(email, 'verify-email')}`);
  const shown = await owner.page.locator('pre').innerText();
  expect(shown).toContain('/verify-email?…');
  expect(shown).not.toContain('token=');
  const command = await owner.page.locator('code', { hasText: 'deals mail show' }).innerText();
  expect(owner.complaints).toEqual([]);
  await owner.page.context().close();

  const verify = linkIn(await runCommand(...command.split(' ').slice(1)), '/verify-email');
  expect(verify).not.toBe('');
  await openHydrated(page, verify);
  await form.getByLabel('Password', { exact: true }).fill(password);
  await form.getByRole('button', { name: 'Verify my email address' }).click();
  await page.getByText('Your email address is verified, and you are signed in.').waitFor();
  await openHydrated(page, '/deals');

  // The buttons in a list appear one by one in varying order, so the test finds each by its deal.
  const hearts = page.getByRole('button', { name: /^Favorite: / });
  await expect.poll(() => hearts.count()).toBe(24);
  const names = await hearts.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  for (const name of names.slice(0, 2)) {
    const heart = page.getByRole('button', { name: name ?? '', exact: true });
    await heart.click();
    await expect.poll(() => heart.getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => heart.isEnabled()).toBe(true);
  }
  await page.goto('/favorites');
  expect(
    await page
      .locator('main')
      .getByRole('button', { name: /^Favorite: / })
      .count(),
  ).toBe(2);

  await openHydrated(page, `/deals/lighthouse-lamp-${lamp}`);
  await page.getByRole('link', { name: 'Price Alert', exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Target Price ($)').fill('90.00');
  await dialog.getByRole('button', { name: 'Create Alert' }).click();
  await dialog.getByRole('status').waitFor();
  await page.goto('/price-alerts');
  await page.getByText(`Lighthouse lamp ${lamp}`).first().waitFor();

  await importLamp(lamp, '85.50');
  const id = await findMail(email, 'price-alert');
  const mail = await runCommand('mail', 'show', String(id));
  expect(mail).toContain(`To: ${email}`);
  expect(mail).toContain(`Subject: Now $85.50: Lighthouse lamp ${lamp}`);
  expect(mail).toContain('$85.50');
  expect(mail).toContain('was $100.00');
  expect(mail).toContain('Your target was $90.00.');

  await page.goto('/favorites/saved');
  await page.getByText('$14.50 less over 1 deal, if you bought at that price.').waitFor();
  expect(await examine(page)).toEqual([]);

  // The re-armed alert waits again until the link in the email stops it.
  await openHydrated(page, '/price-alerts');
  await page.getByLabel(`Edit or re-arm: Lighthouse lamp ${lamp}`).click();
  const edit = page.getByRole('dialog');
  await edit.getByLabel('Target Price ($)').fill('0');
  await edit.getByText('Target price must be greater than 0').waitFor();
  expect(await edit.getByRole('button', { name: 'Save Changes' }).isDisabled()).toBe(true);
  await edit.getByLabel('Target Price ($)').fill('80.00');
  await edit.getByLabel('Active Alert').check();
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  await edit.waitFor({ state: 'hidden' });
  const stranger = await browser.visit(); // the user may open the link in another browser
  await stranger.page.goto(linkIn(mail, '/stop-mails'));
  await stranger.page.getByRole('button', { name: 'Stop this alert' }).click();
  await stranger.page.getByText('This price alert is stopped.').waitFor();
  expect(stranger.complaints).toEqual([]);
  await importLamp(lamp, '70.00');
  const alertMails = (await mailsTo(email)).filter(({ kind }) => kind === 'price-alert');
  expect(alertMails).toHaveLength(1);
  expect(complaints).toEqual([]);
});

/** Answers a page's captcha question without JavaScript, after one attempt without an answer. */
async function sendAsHuman(page: Page, fill: () => Promise<void>, button: string): Promise<void> {
  const submit = () =>
    page.locator('main').getByRole('button', { name: button, exact: true }).click();
  await fill();
  await submit();
  const question = readQuestion(await page.content());
  if (!question) throw new Error('the page asks no question');
  await page.locator('main [name="captcha_answer"]').fill(question.captcha_answer ?? '');
  await fill();
  await submit();
}

test('offers the same steps as forms without JavaScript', async () => {
  const lamp = `b${Date.now()}`;
  await importLamp(lamp, '40.00');
  const email = `forms-${lamp}@mail.example`;
  const { page } = await browser.visit({ javaScriptEnabled: false });
  const form = page.locator('main');

  await page.goto('/sign-up');
  await sendAsHuman(
    page,
    async () => {
      await form.getByLabel('Full Name').fill('Fay Forms');
      await form.getByLabel('Email').fill(email);
      await form.getByLabel('Password', { exact: true }).fill(password);
    },
    'Sign Up',
  );
  await page
    .getByText('Sign up successful! Please check your email to verify your account.')
    .waitFor();
  const mail = await runCommand('mail', 'show', String(await findMail(email, 'verify-email')));
  await page.goto(linkIn(mail, '/verify-email'));
  await form.getByLabel('Password', { exact: true }).fill(password);
  await form.getByRole('button', { name: 'Verify my email address' }).click();
  await page.getByText('Your email address is verified, and you are signed in.').waitFor();

  const deal = `/deals/lighthouse-lamp-${lamp}`;
  await page.goto(deal);
  await page.getByRole('button', { name: 'Favorite', exact: true }).first().click();
  await page.getByRole('button', { name: 'Favorited', exact: true }).first().waitFor();
  await page.getByRole('link', { name: 'Price Alert', exact: true }).first().click();
  await page.waitForURL('**/price-alerts/new?deal=*');
  await form.getByLabel('Target Price ($)').fill('30.00');
  await form.getByRole('button', { name: 'Create Alert' }).click();
  await page.waitForURL('**/price-alerts*');
  await page.getByText(`Lighthouse lamp ${lamp}`).first().waitFor();

  await importLamp(lamp, '29.00');
  const alert = await runCommand('mail', 'show', String(await findMail(email, 'price-alert')));
  expect(alert).toContain(`Subject: Now $29.00: Lighthouse lamp ${lamp}`);
  await page.goto(linkIn(alert, '/stop-mails'));
  await form.getByRole('button', { name: 'Stop this alert' }).click();
  await page.getByText('This price alert is stopped.').waitFor();
});

test('finds a laptop under $500, shows whether its price is good, and watches it on a phone', async () => {
  const email = `laptop-${Date.now()}@mail.example`;
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
  const { page, complaints } = await browser.visit(phone);
  await openHydrated(page, `/deals?search=${encodeURIComponent('laptop under $500')}`);
  await page.getByRole('link', { name: 'Remove filter Up to $500' }).waitFor();
  const card = page
    .locator('article')
    .filter({ hasText: /usually \$\d/ })
    .first();
  expect(await card.innerText()).toMatch(/laptop/i);
  await card.getByRole('heading').getByRole('link').click();
  await page.getByText(/It usually costs \$[\d,.]+; this price is .+ of the \d+ days/).waitFor();
  await page.getByRole('link', { name: 'Price Alert', exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email address').fill(email);
  await dialog.getByRole('button', { name: 'Create Alert' }).click();
  await dialog.getByText('Check your email: we have sent you a link.').waitFor();
  const asking = await runCommand(
    'mail',
    'show',
    String(await findMail(email, 'price-alert-confirm')),
  );
  await openHydrated(page, linkIn(asking, '/price-alerts/confirm'));
  await page.getByRole('button', { name: 'Watch this price' }).click();
  await page.getByText('Price alert set.').waitFor();
  expect(complaints).toEqual([]);
});

test('lets a guest request, confirm, receive, change, stop and erase an alert on a phone', async () => {
  const lamp = `c${Date.now()}`;
  const title = `Lighthouse lamp ${lamp}`;
  await importLamp(lamp, '60.00');
  const email = `guest-${lamp}@mail.example`;
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
  const { page, complaints } = await browser.visit({ ...phone, colorScheme: 'dark' });
  const read = async (kind: string) =>
    runCommand('mail', 'show', String(await findMail(email, kind)));

  await openHydrated(page, `/deals/lighthouse-lamp-${lamp}`);
  await page.getByRole('link', { name: 'Price Alert', exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create Alert' }).waitFor();
  expect(await examine(page)).toEqual([]);
  await dialog.getByLabel('Target Price ($)').fill('50.00');
  await dialog.getByLabel('Email address').fill('nonsense');
  await dialog.getByRole('button', { name: 'Create Alert' }).click();
  await dialog.getByText('Please enter a valid email address').waitFor();
  await dialog.getByLabel('Email address').fill(email);
  await dialog.getByRole('button', { name: 'Create Alert' }).click(); // waits for the captcha
  await dialog.getByText('Check your email: we have sent you a link.').waitFor();

  await importLamp(lamp, '49.00');
  const asking = await read('price-alert-confirm');
  expect(asking).toContain('Subject: Please confirm your price alert');
  expect(asking).not.toContain(title);
  await importLamp(lamp, '60.00');
  await openHydrated(page, linkIn(asking, '/price-alerts/confirm'));
  expect(await examine(page)).toEqual([]);
  await page.getByText('it costs $50.00 or less').waitFor();
  await page.getByRole('button', { name: 'Watch this price' }).click();
  await page.getByText('Price alert set.').waitFor();
  await page.getByText('1 Active Alert').waitFor();
  expect(await examine(page)).toEqual([]);

  await importLamp(lamp, '45.50');
  const told = await read('price-alert');
  expect(told).toContain(`Subject: Now $45.50: ${title}`);
  expect(told).toContain('Your target was $50.00.');
  await openHydrated(page, linkIn(told, '/price-alerts/by-mail'));
  await page.getByLabel(`Edit or re-arm: ${title}`).click();
  await dialog.getByLabel('Target Price ($)').fill('40.00');
  await dialog.getByLabel('Active Alert').check();
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByText('Price alert updated.').waitFor();

  // The guest watches a search with the same email address, and its link shows both the search and
  // the alert.
  const alertsPage = page.url();
  await openHydrated(page, '/deals?search=lighthouse+lamp');
  await page.getByRole('link', { name: 'Watch this list' }).click();
  await page.locator('main').getByLabel('Email address').fill(email);
  await submitWhenVerified(page, 'main', 'Watch');
  await page.getByText('Check your email: we have sent you a link.').waitFor();
  expect(await examine(page)).toEqual([]);
  await openHydrated(page, linkIn(await read('search-confirm'), '/price-alerts/confirm'));
  expect(await examine(page)).toEqual([]);
  await page.getByRole('button', { name: 'Watch this search' }).click();
  await page.getByText('You are now watching this search.').waitFor();
  expect(await examine(page)).toEqual([]);
  await openHydrated(page, alertsPage);

  await page.getByRole('link', { name: 'Stop all' }).click();
  await dialog.getByRole('button', { name: 'Stop all' }).click();
  await page.getByText('All alerts and watched searches stopped.').waitFor();
  await importLamp(lamp, '30.00');
  await page.getByRole('link', { name: 'Erase everything' }).click();
  // The page is dimmed until the dialog covers it.
  await dialog.getByRole('button', { name: 'Erase everything' }).waitFor();
  expect(await examine(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Erase everything' }).click();
  await page.getByRole('heading', { name: 'Erased' }).waitFor();
  expect(await mailsTo(email)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('watches a search on a phone, emails and counts its new deals, and stops it through the link in the email', async () => {
  const lamp = `d${Date.now()}`;
  await importLamp(`${lamp}a`, '60.00');
  const { page, complaints } = await browser.visit({ viewport: { width: 390, height: 844 } });
  const list = `/deals?search=lighthouse+lamp&max=50`;
  await openHydrated(page, `/sign-in?returnTo=${encodeURIComponent(list)}`);
  await page.locator('main').getByLabel('Email').fill(admin.email);
  await page.locator('main').getByLabel('Password', { exact: true }).fill(admin.password);
  await submitWhenVerified(page, 'main', 'Sign In');
  await page.waitForURL((url) => url.pathname === '/deals');
  await page.getByRole('link', { name: 'Watch this list' }).click();
  await page.getByText('“lighthouse lamp”, Up to $50').waitFor();
  await page.getByLabel('Email me').selectOption('Right away');
  expect(await examine(page)).toEqual([]);
  await page.getByRole('button', { name: 'Watch', exact: true }).click();
  await page.getByText('You are now watching this search.').waitFor();
  expect(await examine(page)).toEqual([]);

  // One product is new, one gets a price in the range, and one stays outside.
  await importLamp(`${lamp}b`, '45.00');
  await importLamp(`${lamp}c`, '55.00');
  await importLamp(`${lamp}a`, '40.00');
  const mail = await runCommand('mail', 'show', String(await findMail(admin.email, 'search-news')));
  expect(mail).toMatch(/Subject: \d new deals?: .*lighthouse lamp/u);
  expect(mail).toContain(`Lighthouse lamp ${lamp}`);
  expect(mail).not.toContain(`${lamp}c`);
  await expect
    .poll(async () => {
      await openHydrated(page, list);
      return page.getByText('2 new since earlier today').isVisible();
    })
    .toBe(true);
  expect(await examine(page)).toEqual([]);
  await page.getByRole('button', { name: 'Mark as seen' }).click();
  await expect.poll(() => page.getByText('new since').count()).toBe(0);
  await openHydrated(page, linkIn(mail, '/stop-mails'));
  await page.getByRole('button', { name: 'Stop watching this search' }).click();
  await page.getByText('You will get no more messages about this search.').waitFor();
  await openHydrated(page, list);
  await page.getByRole('link', { name: 'You watched this' }).waitFor();
  expect(complaints).toEqual([]);
});
