import { parse } from 'csv-parse/sync';
import { beforeEach, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { givePassword, signedInVisitor, staffPassword } from '#test/staff.ts';

const database = useTestDatabase();
const now = new Date('2026-06-15T12:00:00Z');
const site = testSite(database, { now: () => now });
let admin: Awaited<ReturnType<typeof signedInVisitor>>;
let staffNumber = 0;

beforeEach(async () => {
  // Wrong passwords are counted per process and address.
  const email = `clerk-${(staffNumber += 1)}@staff.example`;
  admin = await signedInVisitor(database, site, 'admin', { email });
});

async function subscribe(email: string, isActive = true) {
  const { id } = await database.db
    .insertInto('newsletter_subscriptions')
    .values({
      email,
      is_active: isActive,
      subscribed_at: new Date('2026-06-13T12:00:00Z'),
      unsubscribed_at: isActive ? null : new Date('2026-06-15T11:00:00Z'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const states = async () =>
  (
    await database.db
      .selectFrom('newsletter_subscriptions')
      .select(['email', 'is_active'])
      .orderBy('id')
      .execute()
  ).map(({ email, is_active }) => `${email} ${is_active}`);

// Proves Back office 2: Subscriptions: cards, search, filter, table (subscriptions-page.tsx)
// Proves Back office 2: Newsletter subscriptions: cards, search, filter, columns (subscriptions-page.tsx)
test('counts subscriptions, and shows email, status and both times', async () => {
  await subscribe('ann@mail.example');
  await subscribe('bob@mail.example', false);
  const { status, html } = await admin.open('/admin/subscriptions');
  expect(status).toBe(200);
  for (const label of ['Total Subscribers', 'Active', 'Unsubscribed', 'Active Rate']) {
    expect(html).toContain(label);
  }
  expect(html).toContain('50%');
  expect(html).toMatch(/2 days ago<\/time><\/td><td data-label="Unsubscribed">-</);
  expect(html).toContain('1 hour ago');
  expect(html).toContain('Inactive');
  const found = (await admin.open('/admin/subscriptions?q=ANN')).html;
  expect(found).toContain('Showing 1 subscription');
  expect(found).not.toContain('bob@mail.example');
});

test('explains why a list of subscriptions is empty', async () => {
  expect((await admin.open('/admin/subscriptions')).html).toContain('New subscribers');
  expect((await admin.open('/admin/subscriptions?q=zzz')).html).toContain('Nothing matches.');
});

// Proves Back office 2: Subscriptions: toggle, delete, their sentences (subscription-messages.ts)
// Proves Back office 2: Newsletter subscriptions: toggle, delete, sentences (subscriptions-page.tsx)
test('asks the specification’s questions before ending and deleting a subscription, and keeps the search', async () => {
  const id = String(await subscribe('ann@mail.example'));
  const here = '/admin/subscriptions?q=ann';
  const sent = await admin.send(here, { intent: 'deactivate', id });
  expect(sent.headers.get('location')).toBe(here);
  expect((await admin.open(here)).html).toContain('Subscription deactivated successfully!');
  expect(await states()).toEqual(['ann@mail.example false']);
  await admin.send(here, { intent: 'deactivate', id });
  expect((await admin.open(here)).html).toContain('Failed to update subscription');
  await admin.send(here, { intent: 'delete', id });
  expect((await admin.open(here)).html).toContain('Subscription deleted successfully!');
  await admin.send(here, { intent: 'delete', id });
  expect((await admin.open(here)).html).toContain('Failed to delete subscription');
  expect(await states()).toEqual([]);
});

test('requires a reason for reactivating at its field', async () => {
  const id = await subscribe('ann@mail.example', false);
  const path = `/admin/subscriptions/${id}/reactivate`;
  expect((await admin.open(path)).html).toContain('ann@mail.example unsubscribed.');
  const refused = await admin.send(path, { reason: ' ' });
  expect(refused.status).toBe(422);
  expect(refused.html).toContain('Enter the reason why this person should get emails again');
  expect(await states()).toEqual(['ann@mail.example false']);
  const long = 'y'.repeat(301);
  expect((await admin.send(path, { reason: long })).html).toContain(`value="${long}"`);
  const done = await admin.send(`${path}?q=ann`, { reason: 'Asked by phone' });
  expect(done.headers.get('location')).toBe('/admin/subscriptions?q=ann');
  expect((await admin.open('/admin/subscriptions')).html).toContain(
    'Subscription activated successfully!',
  );
  expect((await admin.open(path)).status).toBe(404);
  expect((await admin.open('/admin/subscriptions/x/reactivate')).status).toBe(404);
});

test('ends many subscriptions at once, selected or matching', async () => {
  const first = String(await subscribe('a@mail.example'));
  await subscribe('b@mail.example');
  await subscribe('c@other.example');
  const bulk = { intent: 'bulk', verb: 'deactivate' };
  await admin.send('/admin/subscriptions', { ...bulk, ids: first });
  expect((await admin.open('/admin/subscriptions')).html).toContain('Deactivated 1 subscription.');
  await admin.send('/admin/subscriptions', bulk);
  expect((await admin.open('/admin/subscriptions')).html).toContain('Select at least one');
  const matching = '/admin/subscriptions?q=mail.example';
  await admin.send(matching, { intent: 'bulk', verb: 'delete', all: '1', expected: '3' });
  expect((await admin.open(matching)).html).toContain('Nothing was changed');
  await admin.send(matching, { intent: 'bulk', verb: 'delete', all: '1', expected: '2' });
  expect(await states()).toEqual(['c@other.example true']);
});

test('does not change subscriptions when an action is invalid', async () => {
  const id = String(await subscribe('a@mail.example'));
  const forms: Record<string, string>[] = [
    {},
    { intent: 'bulk', verb: 'drop', ids: id },
    { intent: 'bulk', verb: 'delete', ids: 'x' },
    { intent: 'bulk', verb: 'delete', all: '1', expected: 'all' },
  ];
  for (const form of forms) {
    expect((await admin.send('/admin/subscriptions', form)).status).toBe(400);
  }
  expect(await states()).toEqual(['a@mail.example true']);
});

// Proves Back office 2: Newsletter subscriptions: Export CSV (subscriptions-file-route.ts)
// Proves R31: CSV export
test('R31, P19: exports all subscriptions with escaped formulas, regardless of the filter', async () => {
  await givePassword(database, admin.userId);
  await subscribe('=1+cmd@mail.example');
  await subscribe('bob@mail.example', false);
  const { status, html, headers } = await admin.send('/admin/subscriptions/file', {
    password: staffPassword,
  });
  expect(status).toBe(200);
  expect(headers.get('content-disposition')).toBe(
    'attachment; filename="newsletter-subscriptions-2026-06-15.csv"',
  );
  const records: unknown = parse(html, { bom: true });
  expect(records).toEqual([
    ['Email', 'Status', 'Subscribed At', 'Unsubscribed At'],
    ["'=1+cmd@mail.example", 'Active', '2026-06-13T12:00:00.000Z', ''],
    ['bob@mail.example', 'Inactive', '2026-06-13T12:00:00.000Z', '2026-06-15T11:00:00.000Z'],
  ]);
  const log = await database.db.selectFrom('audit_log').select(['actor', 'action']).execute();
  expect(log).toEqual([{ actor: admin.userId, action: 'subscription.export' }]);
});

test('R50: exports and logs no subscription without the password', async () => {
  await givePassword(database, admin.userId);
  await subscribe('bob@mail.example');
  const sent = await admin.send('/admin/subscriptions/file', { password: 'wrong' });
  expect(sent.status).toBe(303);
  expect(sent.html).not.toContain('bob@');
  const { html } = await admin.open(sent.headers.get('location') ?? '');
  expect(html).toContain('That password is incorrect');
  expect(html).toMatch(/aria-invalid="true"/);
  expect(await database.db.selectFrom('audit_log').selectAll().execute()).toEqual([]);
});

test('asks an added person to confirm once, and refuses to add someone who unsubscribed', async () => {
  const path = '/admin/subscriptions/add';
  const mails = () =>
    database.db
      .selectFrom('mail_outbox')
      .select(['kind', 'recipient'])
      .where('kind', 'like', 'newsletter%')
      .execute();
  expect((await admin.open('/admin/subscriptions')).html).toContain(path);
  const refused = await admin.send(path, { email: 'no address' });
  expect(refused.status).toBe(422);
  expect(refused.html).toContain('value="no address"');
  await subscribe('Gone@mail.example', false);
  await subscribe('here@mail.example');
  expect((await admin.send(path, { email: 'gone@mail.example' })).html).toContain('unsubscribed.');
  expect((await admin.send(path, { email: 'HERE@mail.example' })).html).toContain('already');
  const done = await admin.send(path, { email: 'new@mail.example' });
  expect(done.headers.get('location')).toBe('/admin/subscriptions');
  const again = await admin.send(path, { email: 'NEW@mail.example' });
  expect(again.html).toContain('within the last day');
  expect(await states()).toEqual([
    'Gone@mail.example false',
    'here@mail.example true',
    'new@mail.example false',
  ]);
  expect(await mails()).toEqual([{ kind: 'newsletter-confirm', recipient: 'new@mail.example' }]);
});
