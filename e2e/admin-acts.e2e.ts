import { sql } from 'kysely';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { withShopDatabase } from './open-staff-session.ts';
import { adminShop } from './admin-shop.ts';
import { openHydrated as open } from './page-alive.ts';
import { waitForToast as toast } from './wait-for-text.ts';

// Performs the main action of each admin screen without a mouse, and makes it fail.

const office = adminShop('acts');
const { staff } = office;

/** Presses Tab until the element has the focus, as a user without a mouse would. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  const seen: string[] = [];
  for (let n = 0; n < 120; n++) {
    const isThere = await target.evaluate((element) => element === document.activeElement);
    if (isThere) return;
    await page.keyboard.press('Tab');
    seen.push(
      await page.evaluate(() => document.activeElement?.textContent?.trim().slice(0, 20) ?? ''),
    );
  }
  throw new Error(`Tab never came to it, only to ${seen.join(', ')}`);
}

async function press(page: Page, name: string, place: Page | Locator = page): Promise<void> {
  await tabTo(page, place.getByRole('button', { name, exact: true }));
  await page.keyboard.press('Enter');
}

async function type(page: Page, label: string, text: string, place: Page | Locator = page) {
  await tabTo(page, place.getByLabel(label, { exact: true }));
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

describe('by keyboard alone', () => {
  test('creates, deletes and restores a category by keyboard, and keeps one with deals', async () => {
    const page = await staff();
    await open(page, '/admin/categories');
    await page.keyboard.press('n');
    const form = page.getByRole('dialog', { name: 'Create New Category' });
    await type(page, 'Name', 'Garden', form);
    await type(page, 'Slug', 'Not a slug', form);
    await press(page, 'Create Category', form);
    await form.getByRole('alert').getByText('Slug must contain only lowercase').waitFor();
    await type(page, 'Slug', 'garden', form);
    await press(page, 'Create Category', form);
    await toast(page, 'Category created.');

    const card = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
    await press(page, 'Delete', card('Kitchen'));
    const question = page.getByRole('dialog', { name: /delete this category/ });
    await press(page, 'Delete', question);
    await page
      .locator('output')
      .getByText(/62 deals belong to Kitchen/)
      .waitFor();
    await press(page, 'Delete', card('Garden'));
    await press(page, 'Delete', question);
    await toast(page, 'Category deleted successfully!');
    await card('Garden').waitFor({ state: 'detached' });
    await press(page, 'Undo', page.locator('output'));
    await toast(page, 'The category was restored.');
    await card('Garden').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    const edit = page.getByRole('dialog', { name: 'Edit Category' });
    expect(await edit.getByLabel('Name', { exact: true }).inputValue()).toBe('Kitchen');
    await page.context().close();
  });

  test('moves through two tables on a screen by keyboard as if they were one', async () => {
    const page = await staff();
    await open(page, '/admin/imports');
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await page.keyboard.press('j');
    expect(await focused()).toContain('A folder of feeds');
    await page.keyboard.press('j');
    expect(await focused()).toContain('Failed');
    await page.keyboard.press('j');
    expect(await focused()).toContain('Needs an answer');
    for (let n = 0; n < 3; n++) await page.keyboard.press('k');
    expect(await focused()).toContain('Manual');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'A folder of feeds', level: 1 }).waitFor();
    await page.context().close();
  });

  test('cancels when a confirmation is closed with Escape, and restores the focus', async () => {
    const page = await staff();
    await open(page, '/admin/merchants');
    const [row, menu] = [
      page.getByRole('row', { name: /Donaudampf/ }),
      page.getByRole('button', { name: /Actions for Donaudampf/ }),
    ];
    await page.keyboard.press('j');
    expect(await row.evaluate((element) => element === document.activeElement)).toBe(true);
    await tabTo(page, menu);
    await page.keyboard.press('Enter');
    await press(page, 'Delete', page.locator(':popover-open'));
    await page.getByRole('dialog', { name: /delete this merchant/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog:modal').waitFor({ state: 'detached' });
    await row.waitFor();
    expect(await page.locator('output').textContent()).toBe('');
    await page.context().close();
  });

  test('applies the Amazon preset to a merchant with one click', async () => {
    const page = await staff();
    await open(page, `/admin/merchants/${office.things.merchant}/edit`);
    const form = page.getByRole('dialog', { name: 'Edit Merchant' });
    await tabTo(page, form.getByRole('button', { name: /Amazon/ }));
    await page.keyboard.press('Enter');
    expect(await form.getByLabel('Keep and show price history').isChecked()).toBe(false);
    await press(page, 'Update Merchant', form);
    await toast(page, 'Merchant updated.');
    await page.context().close();
  });

  test('selects messages and marks them as read by keyboard, and shows an error when deleting a missing one', async () => {
    const page = await staff();
    await open(page, '/admin/messages');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('1 message selected').waitFor();
    await press(page, 'Mark messages as read');
    await toast(page, 'Marked 1 message as read.');
    await page.getByText('All messages from the contact form have been read.').waitFor();

    const { id } = await withShopDatabase((db) =>
      db
        .insertInto('contact_messages')
        .values({ name: 'Bo', email: 'bo@mail.example', subject: 'Gone', message: 'x' })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    await open(page, `/admin/messages/${id}`);
    await withShopDatabase((db) =>
      db.deleteFrom('contact_messages').where('id', '=', id).execute(),
    );
    await press(page, 'Delete');
    await press(page, 'Delete', page.getByRole('dialog', { name: /delete this message/ }));
    await toast(page, 'Failed to delete message');
    await page.context().close();
  });

  test('ends a subscription from its row’s menu, and requires a reason to reactivate it', async () => {
    const page = await staff();
    await open(page, '/admin/subscriptions?q=reader');
    await page.keyboard.press('j');
    await tabTo(page, page.getByRole('button', { name: 'Actions for reader@mail.example' }));
    await page.keyboard.press('Enter');
    await press(page, 'Unsubscribe', page.locator(':popover-open'));
    await toast(page, 'Subscription deactivated successfully!');
    await page.getByRole('row', { name: /reader@mail\.example.*Inactive/ }).waitFor();

    // The focus leaves the menu. All later steps use the keyboard.
    await page.locator('h1').click();
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    const form = page.getByRole('dialog');
    await tabTo(page, form.getByRole('button', { name: 'Reactivate' }));
    await page.keyboard.press('Enter');
    await form
      .getByRole('alert')
      .getByText('Enter the reason why this person should get emails again')
      .waitFor();
    await type(page, 'Reason', 'Asked by phone', form);
    // The form ignores a second press while it is being submitted.
    await page.locator('main:not([data-loading])').waitFor();
    await page.keyboard.press('Enter');
    await toast(page, 'Subscription activated successfully!');
    await page.context().close();
  });

  test('resends an unsent email', async () => {
    await withShopDatabase((db) =>
      sql`update mail_outbox set state = 'kept' where id = ${office.things.mail}`.execute(db),
    );
    const page = await staff();
    await open(page, '/admin/outbox?state=kept');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await press(page, 'Send again');
    await toast(page, 'The email is queued again.');
    await page.context().close();
  });

  test('shows errors at the fields of an invalid webhook, adds a valid one, and creates and revokes a key', async () => {
    const page = await staff();
    await open(page, '/admin/developers');
    await type(page, 'Address', 'http://plain.example/hook');
    await press(page, 'Add webhook');
    await page.getByText('Enter an https address on its usual port').first().waitFor();
    await page.getByText('Choose at least one event.').first().waitFor();
    expect(await page.getByLabel('Address', { exact: true }).inputValue()).toBe(
      'http://plain.example/hook',
    );
    await type(page, 'Address', 'https://hooks.example/acts');
    await tabTo(page, page.getByLabel('A deal is published'));
    await page.keyboard.press('Space');
    await press(page, 'Add webhook');
    await page.getByRole('row', { name: /hooks\.example\/acts/ }).waitFor();

    await type(page, 'Name', 'A journey');
    await tabTo(page, page.getByLabel('Read clicks'));
    await page.keyboard.press('Space');
    await press(page, 'Create key');
    const key = page.getByRole('row', { name: /A journey.*Higher limits, Read clicks.*Active/ });
    await key.waitFor();
    const token = (await page.getByText(/^dealhub_[\w-]{43}$/).textContent()) ?? '';
    const clicks = (authorization: string) =>
      page.evaluate(
        async (headers) => (await fetch('/api/v1/clicks', { headers })).status,
        authorization ? { authorization } : undefined,
      );
    expect([await clicks(`Bearer ${token}`), await clicks('')]).toEqual([200, 401]);
    await tabTo(page, page.getByRole('button', { name: 'Actions for A journey' }));
    await page.keyboard.press('Enter');
    await press(page, 'Revoke', page.locator(':popover-open'));
    await press(page, 'Revoke', page.getByRole('dialog', { name: /Revoke the key/ }));
    await toast(page, 'The key has been revoked.');
    await page.getByRole('row', { name: /A journey.*Revoked/ }).waitFor();
    expect(await clicks(`Bearer ${token}`)).toBe(401);
    await page.context().close();
  });

  test('shows a setting’s error at its field, and a colleague’s changes beside the form', async () => {
    const [mine, theirs] = [await staff(), await staff()];
    await open(mine, '/admin/settings?section=maintenance');
    await open(theirs, '/admin/settings?section=maintenance');
    await type(theirs, 'Allowed IP addresses', '127.0.0.0/8');
    await press(theirs, 'Save');
    await toast(theirs, 'Maintenance settings saved');

    await type(mine, 'Message', 'Back at noon');
    await type(mine, 'Allowed IP addresses', '300.1.1.1');
    await press(mine, 'Save');
    await mine.getByRole('alert').getByText('Please enter a valid IP address').waitFor();
    await type(mine, 'Allowed IP addresses', '::1');
    await press(mine, 'Save');
    await mine
      .getByRole('alert')
      .getByText('Someone else saved these settings in the meantime.')
      .waitFor();
    expect(await mine.getByLabel('Message', { exact: true }).inputValue()).toBe('Back at noon');
    await press(mine, 'Use theirs: Allowed IP addresses');
    await press(mine, 'Save');
    await toast(mine, 'Maintenance settings saved');
    await open(mine, '/admin/settings?section=maintenance');
    expect(await mine.getByLabel('Message', { exact: true }).inputValue()).toBe('Back at noon');
    expect(await mine.getByLabel('Allowed IP addresses', { exact: true }).inputValue()).toBe(
      '127.0.0.0/8',
    );
    for (const page of [mine, theirs]) await page.context().close();
  });

  test('hides one of two duplicates only once', async () => {
    const [page, other] = [await staff(), await staff()];
    await open(page, '/admin/imports/duplicates');
    await open(other, '/admin/imports/duplicates');
    const hide = (where: Page) => where.getByRole('button', { name: /^Hide second/ });
    await tabTo(page, hide(page));
    await page.keyboard.press('Enter');
    await toast(page, 'The deal was hidden; the other one stays.');
    await page.getByText('No duplicates').waitFor();
    await tabTo(other, hide(other));
    await other.keyboard.press('Enter');
    await toast(other, 'They are no longer duplicates.');
    for (const one of [page, other]) await one.context().close();
  });

  test('approves a held price once', async () => {
    const page = await staff();
    await open(page, '/admin/imports/held');
    await tabTo(page, page.getByRole('button', { name: /^Approve ?: / }));
    await page.keyboard.press('Enter');
    await toast(page, 'The price is published.');
    await page.getByText('No prices to review').waitFor();
    await page.context().close();
  });

  test('finds every action in the audit log, and leaves it by keyboard', async () => {
    const page = await staff();
    await open(page, '/admin/audit');
    await page.keyboard.press('/');
    await page.keyboard.type('settings.maintenance');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=settings/);
    await page
      .getByRole('row', { name: /changed the maintenance mode/ })
      .first()
      .waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('zqxjv');
    await page.keyboard.press('Enter');
    await page.getByText('No entries found').waitFor();
    await page.context().close();
  });

  test('opens the drawer on a phone, follows a link to a screen and closes the drawer', async () => {
    const page = await staff({ viewport: { width: 390, height: 844 } });
    await open(page, '/admin');
    await press(page, 'Open the menu');
    await tabTo(page, page.getByRole('link', { name: 'Messages', exact: true }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
    await page.locator('nav:popover-open').waitFor({ state: 'detached' });
    await press(page, 'Open the menu');
    await page.locator('nav:popover-open').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('nav:popover-open').waitFor({ state: 'detached' });
    await page.context().close();
  });
});
