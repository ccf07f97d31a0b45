import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { adminShop } from './admin-shop.ts';
import { withShopDatabase } from './open-staff-session.ts';
import { openHydrated as open } from './page-alive.ts';

// Tests that a failed save leaves the form unchanged, whether the database rejected it or the site
// was unreachable.

const { staff } = adminShop('saves');

test('keeps the input for a deal when the database rejects it or the site is down', async () => {
  const page = await staff();
  await open(page, '/admin/deals/new');
  const form = page.getByRole('dialog');
  const field = (label: string) => form.getByLabel(label, { exact: true });
  await field('Title').fill('A lamp that I described');
  await field('Description').fill('Two hours of work');
  await field('Merchant').fill('Kitchen Shop');
  const save = form.getByRole('button', { name: 'Create Deal' });
  const box = form.getByRole('alert').filter({ hasText: 'Error saving deal' });
  const isKept = async () => {
    expect(await field('Title').inputValue()).toBe('A lamp that I described');
    expect(await field('Description').inputValue()).toBe('Two hours of work');
    // Only the dialog shows the message; the list behind it does not.
    expect(await page.getByText('under this reference').filter({ visible: true }).count()).toBe(1);
  };

  await withShopDatabase((db) => sql`alter table merchants rename to merchants_gone`.execute(db));
  await save.click();
  await box.getByText('Unknown error occurred').waitFor();
  await isKept();

  await withShopDatabase((db) => sql`alter table merchants_gone rename to merchants`.execute(db));
  await page.context().setOffline(true);
  await save.click();
  await box.getByText('The site could not be reached').waitFor();
  expect(await field('Description').inputValue()).toBe('Two hours of work');

  await page.context().setOffline(false);
  await save.click();
  await box.getByText('Price').first().waitFor(); // The server validated the form.
  expect(await field('Description').inputValue()).toBe('Two hours of work');
  await page.context().close();
});

test('shows an action’s error above the list, and removes it on the next page', async () => {
  const page = await staff();
  await open(page, '/admin/blog');
  await withShopDatabase((db) =>
    sql`create function refuse_post() returns trigger language plpgsql as
      $$ begin raise exception 'The books are closed'; end $$;
      create trigger refuse before update on blog_posts execute function refuse_post()`.execute(db),
  );
  await page
    .getByRole('row', { name: /Published/ })
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page
    .locator(':popover-open')
    .getByRole('button', { name: /^(?:Publish|Unpublish|Make)/ })
    .click();
  const note = page.getByRole('alert').filter({ hasText: 'Failed to update blog post' });
  await note.getByText('The books are closed').waitFor();
  await page.getByRole('link', { name: 'Categories', exact: true }).click();
  await page.getByRole('heading', { name: /Categor/, level: 1 }).waitFor();
  expect(await page.getByText('Failed to update blog post').count()).toBe(0);
  await page.context().close();
});

test('keeps a polling page open while the site is down, and continues polling when it is back', async () => {
  const page = await staff();
  const id = await withShopDatabase(async (db) => {
    const { email } = await db
      .selectFrom('users')
      .select('email')
      .where('id', 'like', 'staff-saves-%')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow();
    const mail = await db
      .insertInto('mail_outbox')
      .values({
        key: 'test:away',
        kind: 'test',
        recipient: email,
        payload: sql`'{}'`,
        due_at: sql<Date>`now() + interval '1 hour'`,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return mail.id;
  });
  await open(page, `/admin/settings?section=mail&mail=${id}`);
  await page.getByText('Queued', { exact: true }).waitFor();
  await page.context().setOffline(true);
  for (const _ of [1, 2]) await page.waitForEvent('requestfailed');
  await page.getByText('Queued', { exact: true }).waitFor();
  await withShopDatabase((db) =>
    db
      .updateTable('mail_outbox')
      .set({ state: 'sent', sent_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute(),
  );
  await page.context().setOffline(false);
  await page.getByText('Sent', { exact: true }).waitFor();
  await page.context().close();
});
