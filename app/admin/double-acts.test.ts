import { beforeEach, expect, test } from 'vitest';
import {
  insertBlogPost,
  insertCategory,
  insertDeal,
  insertMerchant,
  insertUser,
} from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { givePassword, flashOf, signedInVisitor, staffPassword } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';

// Tests forms that are sent twice, as by a double click or by two people. The second request
// reports what really happened, and nothing is logged twice.

const database = useTestDatabase();
const site = testSite(database);
let staff: TestVisitor & { userId: string };
beforeEach(async () => {
  staff = await signedInVisitor(database, site, 'super_admin');
  await givePassword(database, staff.userId);
});

const audited = async () =>
  (await database.db.selectFrom('audit_log').select('action').orderBy('id').execute()).map(
    ({ action }) => action,
  );

type Made = [address: string, fields: Record<string, string>];
interface Act {
  what: string;
  make: () => Promise<Made>;
  first: string;
  second: string;
  log: string[];
}

const act = (id: number | string, intent = 'delete') => ({ intent, id: String(id) });

const acts: Act[] = [
  {
    what: 'deleting a deal',
    make: async () => ['/admin/deals?q=x', act((await insertDeal(database.db)).id)],
    first: 'Deal deleted successfully!',
    second: 'Failed to delete deal',
    log: ['deal.delete'],
  },
  {
    what: 'activating a deal',
    make: async () => {
      const { id } = await insertDeal(database.db, { is_active: false });
      return ['/admin/deals', act(id, 'activate')];
    },
    first: 'Activated 1 deal.',
    second: 'Activated 0 deals. 1 was already that way.',
    log: ['deal.activate'],
  },
  {
    what: 'deleting a category',
    make: async () => ['/admin/categories', act((await insertCategory(database.db)).id)],
    first: 'Category deleted successfully!',
    second: 'Failed to delete category',
    log: ['category.delete'],
  },
  {
    what: 'deleting a merchant',
    make: async () => ['/admin/merchants', act((await insertMerchant(database.db)).id)],
    first: 'Merchant deleted successfully!',
    second: 'Failed to delete merchant',
    log: ['merchant.delete'],
  },
  {
    what: 'deleting a post',
    make: async () => ['/admin/blog', act((await insertBlogPost(database.db)).id)],
    first: 'Blog post deleted successfully!',
    second: 'Failed to delete blog post',
    log: ['post.delete'],
  },
  {
    what: 'deleting a message',
    make: async () => ['/admin/messages', act(await insertMessage())],
    first: 'Message deleted successfully!',
    second: 'Failed to delete message',
    log: ['contact.delete'],
  },
  {
    what: 'deleting a subscription',
    make: async () => ['/admin/subscriptions', act(await insertSubscription())],
    first: 'Subscription deleted successfully!',
    second: 'Failed to delete subscription',
    log: ['subscription.delete'],
  },
  {
    what: 'ending a subscription',
    make: async () => ['/admin/subscriptions', act(await insertSubscription(), 'deactivate')],
    first: 'Subscription deactivated successfully!',
    second: 'Failed to update subscription',
    log: ['subscription.deactivate'],
  },
  {
    what: 'answering a message',
    make: async () => {
      const id = await insertMessage();
      const fields = { intent: 'answer', op: 'one-form-of-many', answer: 'Thank you' };
      return [`/admin/messages/${id}`, fields];
    },
    first: 'Answer to ada@mail.example is on its way.',
    second: 'Answer to ada@mail.example is on its way.',
    log: ['contact.answer'],
  },
  {
    what: 'withdrawing an invitation',
    make: async () => {
      const values = { email: 'new@mail.example', role: 'admin' as const, expires_at: new Date() };
      const row = database.db.insertInto('staff_invitations').values(values).returning('id');
      const { id } = await row.executeTakeFirstOrThrow();
      return ['/admin/users', act(id, 'withdraw-invitation')];
    },
    first: 'Invitation withdrawn. Its links no longer work.',
    second: 'This invitation was already accepted or withdrawn.',
    log: ['invitation.withdraw'],
  },
  {
    what: 'deciding on a held price',
    make: async () => {
      const held = { held_price: 100, held_at: new Date() };
      const { id } = await insertDeal(database.db, { sale_price: 5_000, ...held });
      return ['/admin/imports/held', { ...act(id, 'refuse'), price: '100' }];
    },
    first: 'The old price stays.',
    second: 'This price was already reviewed.',
    log: ['deal.refuse-price'],
  },
  {
    what: 'revoking a key',
    make: async () => {
      const { id } = await database.db
        .insertInto('api_keys')
        .values({ name: 'A', prefix: 'dh_a', key_hash: 'x' })
        .returning('id')
        .executeTakeFirstOrThrow();
      return ['/admin/developers', act(id, 'revoke-key')];
    },
    first: 'The key has been revoked.',
    second: 'This key was already revoked.',
    log: ['api-key.revoke'],
  },
];

async function insertMessage(): Promise<number> {
  const values = { name: 'Ada', email: 'ada@mail.example', subject: 'Hello', message: 'Hello' };
  const row = database.db.insertInto('contact_messages').values(values).returning('id');
  return (await row.executeTakeFirstOrThrow()).id;
}

async function insertSubscription(): Promise<number> {
  const values = { email: 'ada@mail.example' };
  const row = database.db.insertInto('newsletter_subscriptions').values(values).returning('id');
  return (await row.executeTakeFirstOrThrow()).id;
}

test.each(acts)(
  'performs $what once when the form is sent twice in a row',
  async ({ make, first, second, log }) => {
    const [address, fields] = await make();
    const done = await staff.send(address, fields);
    expect([done.status, done.headers.get('location')]).toEqual([302, address]);
    expect(flashOf(done)).toBe(first);
    const again = await staff.send(address, fields);
    expect(again.status).toBe(302);
    expect(flashOf(again)).toBe(second);
    expect(await audited()).toEqual(log);
  },
);

test.each(acts)(
  'performs $what once when the form is sent twice at the same moment',
  async ({ make, first, second, log }) => {
    const [address, fields] = await make();
    const answers = await Promise.all([staff.send(address, fields), staff.send(address, fields)]);
    expect(answers.map((answer) => answer.status)).toEqual([302, 302]);
    expect(answers.map(flashOf).toSorted((a, b) => a.localeCompare(b))).toEqual(
      [first, second].toSorted((a, b) => a.localeCompare(b)),
    );
    expect(await audited()).toEqual(log);
  },
);

test('deletes a user once, even if two colleagues submit', async () => {
  await insertUser(database.db, { id: 'ann' });
  const other = await signedInVisitor(database, site, 'super_admin', { id: 'other' });
  await givePassword(database, other.userId);
  const password = { password: staffPassword };
  const answers = await Promise.all([
    staff.send('/admin/users/ann/delete', password),
    other.send('/admin/users/ann/delete', password),
  ]);
  expect(answers.map(flashOf).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'Failed to delete user',
    'User deleted successfully!',
  ]);
  expect(await audited()).toEqual(['user.delete']);
});

test('suspends a user once, even if two colleagues submit', async () => {
  await insertUser(database.db, { id: 'ann' });
  const fields = { intent: 'suspend', reason: 'Spam', password: staffPassword };
  const answers = await Promise.all([
    staff.send('/admin/users/ann/suspend', fields),
    staff.send('/admin/users/ann/suspend', fields),
  ]);
  expect(answers.map(flashOf).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'This user is already suspended.',
    'User suspended, and signed out everywhere.',
  ]);
  expect(await audited()).toEqual(['user.suspend']);
});

test('creates a category once, and reports the second attempt at its slug', async () => {
  const fields = { name: 'Garden', slug: 'garden' };
  const answers = await Promise.all([
    staff.send('/admin/categories/new', fields),
    staff.send('/admin/categories/new', fields),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([302, 422]);
  const refused = answers.find(({ status }) => status === 422);
  expect(refused?.html).toContain('Error saving category. Please check if the slug is unique.');
  expect(refused?.html).toContain('value="Garden"');
  expect(await audited()).toEqual(['category.create']);
});

test('restores an item once when Undo is pressed twice', async () => {
  const { id } = await insertMerchant(database.db, { name: 'Lamp House' });
  await staff.send('/admin/merchants', act(id));
  const undone = await staff.send('/admin/merchants', act(id, 'restore'));
  expect(flashOf(undone)).toBe('The merchant was restored.');
  const again = await staff.send('/admin/merchants', act(id, 'restore'));
  expect(flashOf(again)).toBe('The merchant could not be restored.');
  const rows = await database.db.selectFrom('merchants').select('name').execute();
  expect(rows).toEqual([{ name: 'Lamp House' }]);
});
