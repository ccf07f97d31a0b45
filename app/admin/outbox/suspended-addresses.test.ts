import { beforeEach, expect, test } from 'vitest';
import { suspendAddress } from '#app/platform/mail/suspension-queries.server.ts';
import { insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const list = '/admin/outbox/suspended';
let staff: TestVisitor & { userId: string };

beforeEach(async () => {
  staff = await signedInVisitor(database, testSite(database), 'admin', {
    full_name: 'Olive Office',
  });
  for (const [address, reason] of [
    ['ada@reader.example', 'bounce'],
    ['bob@reader.example', 'complaint'],
  ] as const) {
    const about = { diagnostic: '550 5.1.1 <no such user>', mailId: null, at: null };
    await suspendAddress(database.db, { address, reason, source: 'ses', ...about });
  }
});

const suspended = () =>
  database.db
    .selectFrom('mail_suspensions')
    .select('recipient')
    .where('lifted_at', 'is', null)
    .orderBy('recipient')
    .execute();
const idOf = async (recipient: string) =>
  (
    await database.db
      .selectFrom('mail_suspensions')
      .select('id')
      .where('recipient', '=', recipient)
      .executeTakeFirstOrThrow()
  ).id;

test('lists suspended email addresses with their reason, report and source', async () => {
  const { status, html } = await staff.open(list);
  expect(status).toBe(200);
  for (const text of ['ada@reader.example', 'Bounced', 'Reported as spam', 'Amazon SES']) {
    expect(html).toContain(text);
  }
  expect(html).toContain('550 5.1.1 &lt;no such user&gt;');
  const complaints = (await staff.open(`${list}?reason=complaint`)).html;
  expect(complaints).toContain('bob@reader.example');
  expect(complaints).not.toContain('ada@reader.example');
  expect((await staff.open('/admin/outbox')).html).toContain(`href="${list}?state=suspended"`);
});

test('lifts one suspension, links to the user who lifted it, and logs it without the address', async () => {
  const id = await idOf('ada@reader.example');
  const answer = await staff.send(list, { intent: 'lift', id: String(id) });
  expect(answer.status).toBe(302);
  expect(await suspended()).toEqual([{ recipient: 'bob@reader.example' }]);
  const { html } = await staff.open(`${list}?state=lifted`);
  expect(html).toContain(`href="/admin/audit?entity=suspended_address&amp;id=${id}"`);
  const entries = await database.db.selectFrom('audit_log').selectAll().execute();
  expect(entries).toMatchObject([
    { action: 'suspended-address.lift', entity_id: String(id), actor: staff.userId },
  ]);
  expect(JSON.stringify(entries)).not.toContain('reader.example');
  await staff.send(list, { intent: 'lift', id: String(id) });
  expect(await database.db.selectFrom('audit_log').selectAll().execute()).toHaveLength(1);
});

test('lifts all suspensions that match the filter, up to the number shown', async () => {
  const all = { intent: 'bulk', verb: 'lift', all: '1' };
  await staff.send(`${list}?reason=bounce`, { ...all, expected: '2' });
  expect(await suspended()).toHaveLength(2);
  await staff.send(`${list}?reason=bounce`, { ...all, expected: '1' });
  expect(await suspended()).toEqual([{ recipient: 'bob@reader.example' }]);
});

test('shows the suspension beside the user and the subscription', async () => {
  const { id } = await insertUser(database.db, { email: 'ada@reader.example' });
  await database.db
    .insertInto('newsletter_subscriptions')
    .values({ email: 'Bob@reader.example', is_active: true })
    .execute();
  const user = await staff.open(`/admin/users/${id}`);
  expect(user.html).toContain('Alerts and newsletters');
  expect(user.html).toContain(`href="${list}?q=ada%40reader.example"`);
  const subscriptions = await staff.open('/admin/subscriptions');
  expect(subscriptions.html).toContain(`href="${list}?q=Bob%40reader.example"`);
});
