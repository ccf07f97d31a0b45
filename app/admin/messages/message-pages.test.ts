import { beforeEach, expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';

const database = useTestDatabase();
const site = testSite(database);
let admin: Awaited<ReturnType<typeof signedInVisitor>>;
beforeEach(async () => {
  admin = await signedInVisitor(database, site, 'admin', { email: 'clerk@staff.example' });
});

async function receive(subject: string, overrides: { message?: string; email?: string } = {}) {
  const { id } = await database.db
    .insertInto('contact_messages')
    .values({ name: 'Ada', email: 'ada@mail.example', subject, message: 'Hello', ...overrides })
    .returning('id')
    .executeTakeFirstOrThrow();
  return String(id);
}
const states = async () =>
  (
    await database.db
      .selectFrom('contact_messages')
      .select(['subject', 'is_read'])
      .orderBy('id')
      .execute()
  ).map(({ subject, is_read }) => `${subject} ${is_read ? 'read' : 'unread'}`);
const subjectsIn = (html: string) =>
  [...html.matchAll(/aria-label="Select (M\d)"/g)].map((m) => m[1]);

// Proves P31: the inbox (messages-page.tsx)
test('P31: lists unread messages first, and filters and searches messages', async () => {
  await receive('M1');
  const second = await receive('M2');
  await receive('M3', { message: 'About the lamp' });
  await admin.send('/admin/messages', { intent: 'read', id: second });
  const { status, html } = await admin.open('/admin/messages');
  expect(status).toBe(200);
  expect(html).toContain('Marked 1 message as read.');
  expect(html).toContain('2 unread from the contact form.');
  expect(subjectsIn(html)).toEqual(['M3', 'M1', 'M2']);
  expect(subjectsIn((await admin.open('/admin/messages?state=read')).html)).toEqual(['M2']);
  expect(subjectsIn((await admin.open('/admin/messages?q=LAMP')).html)).toEqual(['M3']);
  expect(subjectsIn((await admin.open('/admin/messages?sort=-received')).html)).toEqual([
    'M3',
    'M2',
    'M1',
  ]);
});

test('shows a message as text, with a reply link to the user’s email client', async () => {
  const id = await receive('Price & more', {
    message: 'Line <script>alert(1)</script>',
    email: 'a?bcc=x@mail.example',
  });
  const { status, html } = await admin.open(`/admin/messages/${id}`);
  expect(status).toBe(200);
  expect(html).toContain('Line &lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).toContain(
    'href="mailto:a%3Fbcc%3Dx@mail.example?subject=Re%3A%20Price%20%26%20more"',
  );
  // Opening the message changes nothing; only the button does.
  expect(await states()).toEqual(['Price & more unread']);
  const marked = await admin.send(`/admin/messages/${id}?q=price`, { intent: 'read', id });
  expect(marked.headers.get('location')).toBe('/admin/messages?q=price');
  expect((await admin.open(`/admin/messages/${id}`)).html).toContain('read by clerk@staff.example');
});

test('deletes a message once, and keeps no part of it in the log', async () => {
  const id = await receive('Private');
  await admin.send(`/admin/messages/${id}`, { intent: 'delete', id });
  expect((await admin.open('/admin/messages')).html).toContain('Message deleted successfully!');
  await admin.send('/admin/messages', { intent: 'delete', id });
  expect((await admin.open('/admin/messages')).html).toContain('Failed to delete message');
  const log = await database.db.selectFrom('audit_log').selectAll().execute();
  expect(log).toMatchObject([{ action: 'contact.delete', entity_id: id }]);
  expect(JSON.stringify(log)).not.toContain('Private');
});

test('marks and deletes many messages at once', async () => {
  await receive('M1');
  await receive('M2');
  await admin.send('/admin/messages', { intent: 'bulk', verb: 'read', all: '1', expected: '2' });
  expect(await states()).toEqual(['M1 read', 'M2 read']);
  await admin.send('/admin/messages', { intent: 'bulk', verb: 'unread', all: '1', expected: '1' });
  expect((await admin.open('/admin/messages')).html).toContain('Nothing was changed');
  await admin.send('/admin/messages?q=M1', {
    intent: 'bulk',
    verb: 'delete',
    all: '1',
    expected: '1',
  });
  expect(await states()).toEqual(['M2 read']);
  await admin.send('/admin/messages', { intent: 'bulk', verb: 'unread' });
  expect((await admin.open('/admin/messages')).html).toContain('Select at least one message');
});

test('rejects invalid actions and returns 404 for a missing message', async () => {
  await receive('M1');
  expect((await admin.send('/admin/messages', { intent: 'burn', id: '1' })).status).toBe(400);
  expect((await admin.open('/admin/messages/999')).status).toBe(404);
  expect((await admin.open('/admin/messages/x')).status).toBe(404);
  expect((await admin.open('/admin/messages?q=zzz')).html).toContain('Nothing matches.');
});

test('answers from the inbox, and assigns, closes and reopens a message', async () => {
  const id = await receive('M1');
  await receive('M2');
  const path = `/admin/messages/${id}`;
  const fields = { intent: 'answer', op: 'form-number-1', answer: 'It is right now.' };
  const empty = await admin.send(path, { ...fields, answer: ' ' });
  expect([empty.status, empty.html.includes('Your answer: Write an answer first')]).toEqual([
    422,
    true,
  ]);
  const long = await admin.send(path, { ...fields, answer: 'x'.repeat(10_001) });
  expect(long.html).toContain('The answer may have at most 10,000 characters');
  expect((await admin.send(path, { ...fields, op: '' })).html).toContain('reload the page');
  expect((await admin.send(path, fields)).headers.get('location')).toBe(path);
  const page = (await admin.open(path)).html;
  expect(page).toContain('Answer to ada@mail.example is on its way.');
  expect(page).toContain('It is right now.');
  expect(page).toContain('On its way');
  expect(subjectsIn((await admin.open('/admin/messages?state=mine')).html)).toEqual(['M1']);

  await insertUser(database.db, { id: 'colleague', role: 'admin', full_name: 'Carl Clerk' });
  await admin.send(path, { intent: 'assign', to: 'colleague' });
  expect((await admin.open('/admin/messages')).html).toContain('Carl Clerk');
  await admin.send(path, { intent: 'assign', to: admin.userId });
  await admin.send(path, { intent: 'assign', to: 'nobody-here' });
  expect((await admin.open(path)).html).toContain('can no longer be assigned messages');

  const closing = { ...fields, op: 'form-number-2', answer: 'Bye', close: 'on' };
  const closed = await admin.send(`${path}?q=M`, closing);
  expect(closed.headers.get('location')).toBe('/admin/messages?q=M');
  expect(subjectsIn((await admin.open('/admin/messages')).html)).toEqual(['M2']);
  expect(subjectsIn((await admin.open('/admin/messages?state=closed')).html)).toEqual(['M1']);
  expect((await admin.open('/admin/messages?state=all')).html).toContain('Closed (1)');
  await admin.send(path, { intent: 'reopen', id });
  expect(subjectsIn((await admin.open('/admin/messages')).html)).toEqual(['M2', 'M1']);
});

test('assigns and closes many messages at once', async () => {
  await receive('M1');
  await receive('M2');
  const bulk = (verb: string) =>
    admin.send('/admin/messages', { intent: 'bulk', verb, all: '1', expected: '2' });
  await bulk('take');
  expect((await admin.open('/admin/messages')).html).toContain('Assigned 2 messages to you.');
  await bulk('close');
  expect((await admin.open('/admin/messages')).html).toContain('Closed 2 messages.');
  expect(await states()).toEqual(['M1 read', 'M2 read']);
});

test('shows an answer that could not be emailed as failed, with the reason and a link to its email', async () => {
  const id = await receive('M1');
  const path = `/admin/messages/${id}`;
  await admin.send(path, { intent: 'answer', op: 'form-number-1', answer: 'Hello' });
  await database.db
    .updateTable('mail_outbox')
    .set({ state: 'failed', last_error: '550 no such user' })
    .execute();
  const { html } = await admin.open(path);
  expect(html).toContain('550 no such user');
  expect(html).toMatch(/href="\/admin\/outbox\/\d+"/);
  expect((await admin.open('/admin/messages')).html).toContain('Answer failed');
});
