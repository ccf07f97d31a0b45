import { expect, test } from 'vitest';
import { suspendAddress, type Suspension } from '#app/platform/mail/suspension-queries.server.ts';
import { sql } from 'kysely';
import { useTestDatabase } from '#test/database.ts';
import { mailedPath } from '#test/mailed-path.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import { testVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const email = 'ada@reader.example';
const button = 'Send a confirmation link';

const suspend = (reason: Suspension['reason'] = 'bounce') =>
  suspendAddress(database.db, {
    address: email,
    reason,
    source: 'smtp',
    diagnostic: '550 no such user',
    mailId: null,
    at: null,
  });
const ada = () => signedInVisitor(database, testSite(database), 'user', { email });
const mails = () => database.db.selectFrom('mail_outbox').select('kind').execute();
const isSuspended = async () =>
  (await database.db
    .selectFrom('mail_suspensions')
    .select('id')
    .where('lifted_at', 'is', null)
    .executeTakeFirst()) !== undefined;

test('shows a bounce notice and lifts the suspension through an emailed link', async () => {
  const visitor = await ada();
  expect((await visitor.open('/price-alerts')).html).not.toContain(button);
  await suspend();
  for (const path of ['/price-alerts', '/profile']) {
    const { html } = await visitor.open(path);
    expect(html).toContain('Emails to your address could not be delivered');
    expect(html).toContain(button);
  }
  expect((await visitor.send('/confirm-address', { intent: 'send' })).status).toBe(200);
  const path = await mailedPath(database.db, 'confirm-address', email);
  // Opening the link, as mail scanners do, changes nothing.
  const stranger = testVisitor(testSite(database));
  expect((await stranger.open(path)).html).toContain('Confirm my email address');
  expect(await isSuspended()).toBe(true);
  const token = new URL(path, 'https://x.example').searchParams.get('token') ?? '';
  const done = await stranger.send('/confirm-address', { token });
  expect([done.status, await isSuspended()]).toEqual([200, false]);
  expect((await visitor.open('/price-alerts')).html).not.toContain(button);
  expect((await stranger.send('/confirm-address', { token })).status).toBe(410);
});

test('shows a spam complaint as the reason for a suspension', async () => {
  const visitor = await ada();
  await suspend('complaint');
  expect((await visitor.open('/price-alerts')).html).toContain('was reported as spam');
});

test('does not lift a later suspension with an earlier link', async () => {
  const visitor = await ada();
  await suspend();
  await visitor.send('/confirm-address', { intent: 'send' });
  const path = await mailedPath(database.db, 'confirm-address', email);
  await sql`update mail_suspensions set lifted_at = now()`.execute(database.db);
  await suspend();
  expect(await isSuspended()).toBe(true);
  const token = new URL(path, 'https://x.example').searchParams.get('token') ?? '';
  expect((await visitor.send('/confirm-address', { token })).status).toBe(410);
  expect(await isSuspended()).toBe(true);
});

test('sends no confirmation email without a suspension, to signed-out visitors, or beyond the limit', async () => {
  const visitor = await ada();
  await visitor.send('/confirm-address', { intent: 'send' });
  const stranger = testVisitor(testSite(database));
  expect((await stranger.send('/confirm-address', { intent: 'send' })).status).toBe(403);
  expect(await mails()).toEqual([]);
  await suspend();
  for (let n = 0; n < 5; n++) await visitor.send('/confirm-address', { intent: 'send' });
  expect(await mails()).toHaveLength(3);
});

test.each(['', 'v1.confirm.1-1.x', `v1.confirm.1-1.${'A'.repeat(43)}`])(
  'confirms nothing for the made-up token %j',
  async (token) => {
    await suspend();
    const visitor = testVisitor(testSite(database));
    expect((await visitor.send('/confirm-address', { token })).status).toBe(410);
    expect((await visitor.open(`/confirm-address?token=${token}`)).html).toContain(
      'This link is no longer valid.',
    );
    expect(await isSuspended()).toBe(true);
  },
);
