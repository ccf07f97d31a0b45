import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eraseAccount } from '#app/features/accounts/people/erase-account.server.ts';
import { exportAccount } from '#app/features/accounts/people/export-account.server.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import { findFault } from '#app/platform/mail/mail-kind.server.ts';
import { insertUser } from '#test/factories/insert.ts';
import { addDemoSettings } from '#database/seed/seed-demo.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { solveCaptcha } from '#test/solve-captcha.ts';
import { contactMails } from './contact-mails.server.ts';
import { contactTable } from './contact-table.ts';
import { deleteContactMessages } from './delete-contact-messages.server.ts';
import { markContactMessages } from './mark-contact-messages.server.ts';
import {
  countMessageViews,
  findContactMessage,
  insertContactMessage,
  listContactMessages,
} from './contact-queries.server.ts';
import { sendContactMessage } from './send-contact-message.server.ts';

const database = useTestDatabase();
const address = '192.0.2.50';
let limits = {};
afterEach(() => {
  limits = {};
});

const written = {
  name: 'Ada Visitor',
  email: 'ada@mail.example',
  subject: 'A price is wrong',
  message: 'The desk lamp costs $49 now.\r\nSee https://evil.example/x\r\n\r\nThanks',
};

async function send(fields: Record<string, string> = {}, from = address) {
  const services = testServices(database, limits);
  const form = new FormData();
  const all = { ...written, captcha_token: await solveCaptcha(services), ...fields };
  for (const [name, value] of Object.entries(all)) form.set(name, value);
  return sendContactMessage(services, form, from);
}

beforeEach(() => addDemoSettings(database.db));

const stored = () => database.db.selectFrom('contact_messages').selectAll().orderBy('id').execute();
const queued = () => database.db.selectFrom('mail_outbox').selectAll().orderBy('id').execute();

async function writeMail(index: number) {
  const mail = (await queued())[index];
  if (!mail) throw new Error('no such mail');
  const kind = contactMails[mail.kind as keyof typeof contactMails];
  const site = await readMailSite(database.db, testServices(database).env);
  const out = await kind.write(database.db, mail, site, 'send');
  return { kind, site, out };
}

// Proves Back office 8: Contact: mail failures are logged only (send-contact-message.server.ts)
// Proves P31: contact (send-contact-message.server.ts)
describe('P31: a message', () => {
  test('stores a contact message, and queues one email for the team and one for the sender', async () => {
    await writeSiteSetting(database.db, 'contactEmail', 'team@deals.test', 'test');
    expect(await send()).toEqual({ ok: true });
    expect(await stored()).toMatchObject([
      {
        name: 'Ada Visitor',
        email: 'ada@mail.example',
        subject: 'A price is wrong',
        message: 'The desk lamp costs $49 now.\nSee https://evil.example/x\n\nThanks',
        is_read: false,
      },
    ]);
    expect((await queued()).map(({ kind, recipient }) => [kind, recipient])).toEqual([
      ['contact', 'team@deals.test'],
      ['contact-confirmation', 'ada@mail.example'],
    ]);
  });

  test('keeps a contact message in the inbox of a site without an address, and confirms it to the sender', async () => {
    await writeSiteSetting(database.db, 'contactEmail', '', 'test');
    await writeSiteSetting(database.db, 'replyHours', null, 'test');
    expect(await send()).toEqual({ ok: true });
    expect(await stored()).toHaveLength(1);
    expect((await queued()).map(({ kind }) => kind)).toEqual(['contact-confirmation']);
    const { out } = await writeMail(0);
    expect(out?.text).toContain('A person will read your message and reply, to this address.');
    expect(out?.text).not.toMatch(/within \d|null|something is missing/i);
  });

  // Proves Back office 7: Contact: two notifications (contact-mails.server.ts)
  test('sends the whole contact message to the team as text, with the sender as reply-to', async () => {
    await send({ message: 'One <b>\ntwo\n\nthree' });
    const { kind, site, out } = await writeMail(0);
    if (!out) throw new Error('not written');
    expect(out.subject).toBe('Contact form: A price is wrong (Ada Visitor)');
    expect(out.text).toMatch(/One <b>\n+two\n+three/);
    expect(out.html).toContain('One &lt;b&gt;<br/>two');
    expect(out.text).toContain('From Ada Visitor, ada@mail.example');
    expect(findFault(kind, out, site)).toBeNull();
  });

  test('R26: confirms a contact message without any text of the sender', async () => {
    await send({ name: 'Buy-at-evil', subject: 'cheap-evil', message: 'click-evil' });
    const { kind, site, out } = await writeMail(1);
    if (!out) throw new Error('not written');
    expect(`${out.subject} ${out.text} ${out.html}`).not.toContain('evil');
    expect(out.text).toContain('within 24 hours');
    expect(findFault(kind, out, site)).toBeNull();
  });

  test('does not email a contact message whose row was deleted', async () => {
    await send();
    const ids = (await stored()).map(({ id }) => id);
    await deleteContactMessages(database.db, { ids, actor: 'staff' });
    expect((await writeMail(0)).out).toBeNull();
    expect((await writeMail(1)).out).toBeNull();
  });

  // Proves Back office 5: Contact: all four fields required, human check (contact-input.ts)
  test.each([
    ['name', '', 'Name is required'],
    ['name', 'x'.repeat(101), 'Name must be at most 100 characters'],
    ['name', 'a\r\nBcc: b@c.example', 'Must be one line of plain text'],
    ['email', '', 'Email is required'],
    ['email', 'nonsense', 'Please enter a valid email address'],
    ['email', 'a@b.example, c@d.example', 'Please enter a valid email address'],
    ['email', 'a@b.example\r\nBcc: c@d.example', 'Please enter a valid email address'],
    ['subject', '  ', 'Subject is required'],
    ['subject', 'x'.repeat(151), 'Subject must be at most 150 characters'],
    ['subject', 'a\nb', 'Must be one line of plain text'],
    ['message', ' \n ', 'Message is required'],
    ['message', 'x'.repeat(5001), 'Message must be at most 5,000 characters'],
  ])('R26: rejects a contact message with %s %j', async (field, value, error) => {
    expect(await send({ [field]: value })).toEqual({
      ok: false,
      reason: 'invalid',
      errors: { [field]: error },
    });
    expect(await stored()).toEqual([]);
  });

  test('accepts a contact message at exactly the maximum lengths, counting a line break once', async () => {
    const message = `${'x'.repeat(2499)}\r\n${'y'.repeat(2500)}`;
    const longest = { name: 'n'.repeat(100), subject: 's'.repeat(150), message };
    expect(await send(longest)).toEqual({ ok: true });
  });

  // Proves R27: captcha
  test('R27: requires the captcha for a contact message, and accepts its token once', async () => {
    const token = await solveCaptcha(testServices(database));
    expect(await send({ captcha_token: token })).toEqual({ ok: true });
    expect(await send({ captcha_token: token })).toMatchObject({ ok: false, reason: 'captcha' });
    expect(await stored()).toHaveLength(1);
  });

  test('drops a contact message silently when a bot fills in the honeypot', async () => {
    expect(await send({ website: 'https://evil.example' })).toEqual({ ok: true });
    expect([await stored(), await queued()]).toEqual([[], []]);
  });
});

// Proves R26: addresses of forms, caps (mail-address.server.ts)
describe('R26: the limits', () => {
  test('allows an IP address five contact messages an hour', async () => {
    for (let n = 0; n < 5; n++) {
      expect(await send({ email: `a${n}@mail.example` }, '192.0.2.61')).toEqual({ ok: true });
    }
    const sixth = await send({}, '192.0.2.61');
    expect(sixth).toMatchObject({ ok: false, reason: 'too-often' });
    expect(await send({}, '192.0.2.62')).toEqual({ ok: true });
  });

  test('sends a recipient three confirmations an hour at most, and still stores the messages', async () => {
    const email = 'often@mail.example';
    for (let n = 0; n < 4; n++) {
      const spelling = n % 2 === 0 ? email : 'often@MAIL.example';
      expect(await send({ email: spelling }, `192.0.2.${70 + n}`)).toEqual({ ok: true });
    }
    expect(await stored()).toHaveLength(4);
    const confirmations = (await queued()).filter(({ kind }) => kind === 'contact-confirmation');
    expect(confirmations).toHaveLength(3);
  });

  test('rejects every contact message past the site’s daily limit, and notifies the owner once', async () => {
    limits = { RATE_LIMITS: 'contact-site=1/86400' };
    expect(await send({}, '192.0.2.81')).toEqual({ ok: true });
    for (const from of ['192.0.2.82', '192.0.2.83']) {
      expect(await send({}, from)).toMatchObject({ ok: false, reason: 'too-often' });
    }
    expect(await stored()).toHaveLength(1);
    const notices = (await queued()).filter(({ kind }) => kind === 'contact-flood');
    expect(notices.map(({ recipient }) => recipient)).toEqual(['support@dealhub.example']);
    const { kind, site, out } = await writeMail((await queued()).length - 1);
    if (!out) throw new Error('not written');
    expect(out.text).toContain('More than 1 messages');
    expect(findFault(kind, out, site)).toBeNull();
  });
});

describe('the inbox', () => {
  const add = (fields: Partial<typeof written> = {}) =>
    insertContactMessage(database.db, { ...written, ...fields });
  const list = (search = '') =>
    listContactMessages(
      database.db,
      parseTableQuery(contactTable, new URLSearchParams(search)),
      'nobody',
    );

  test('lists messages newest first, in pages', async () => {
    for (let n = 1; n <= 51; n++) await add({ subject: `No ${n}` });
    const first = await list();
    expect(first).toMatchObject({ total: 51, page: 1, pageCount: 2 });
    expect(first.rows).toHaveLength(50);
    expect(first.rows[0]?.subject).toBe('No 51');
    expect((await list('page=9')).rows.map(({ subject }) => subject)).toEqual(['No 1']);
  });

  test('searches name, email, subject and text of messages literally', async () => {
    await add({ name: 'Grace Hopper' });
    await add({ email: 'grace@mail.example' });
    await add({ subject: 'With grace' });
    await add({ message: 'Saying GRACE' });
    await add({ message: '100% sure' });
    expect((await list('q=+grace+')).total).toBe(4);
    expect((await list('q=0%25')).total).toBe(1);
    expect((await list('q=_')).total).toBe(0);
  });

  test('marks messages as read with user and time, and as unread again', async () => {
    const reader = await insertUser(database.db, { role: 'admin' });
    const other = await insertUser(database.db, { role: 'admin' });
    const ids = [await add(), await add()];
    const [first = 0] = ids;
    const mark = (isRead: boolean, actor: string) =>
      markContactMessages(database.db, { ids: [first], isRead, actor });
    expect(await mark(true, reader.id)).toBe(1);
    expect(await mark(true, other.id)).toBe(0);
    expect(await findContactMessage(database.db, first)).toMatchObject({
      is_read: true,
      read_at: expect.any(Date),
      reader: reader.email,
    });
    expect(await countMessageViews(database.db, 'nobody')).toMatchObject({ unread: 1 });
    expect((await list('state=read')).rows.map(({ id }) => id)).toEqual([first]);
    expect((await list('state=unread')).rows.map(({ id }) => id)).toEqual([ids[1]]);
    await database.db.deleteFrom('users').where('id', '=', reader.id).execute();
    expect(await findContactMessage(database.db, first)).toMatchObject({
      is_read: true,
      reader: null,
    });
    expect(await mark(false, other.id)).toBe(1);
    expect(await findContactMessage(database.db, first)).toMatchObject({
      is_read: false,
      read_at: null,
    });
  });

  test('R42: deletes messages, and logs the user but not the content', async () => {
    const id = await add();
    const deleting = { ids: [id, 4711], actor: 'staff-1' };
    expect(await deleteContactMessages(database.db, deleting)).toBe(1);
    expect(await deleteContactMessages(database.db, deleting)).toBe(0);
    expect(await findContactMessage(database.db, id)).toBeNull();
    const log = await database.db.selectFrom('audit_log').selectAll().execute();
    expect(log).toMatchObject([
      { actor: 'staff-1', action: 'contact.delete', entity: 'contact_message' },
    ]);
    expect(JSON.stringify(log)).not.toContain('ada@mail.example');
  });

  test('does not change messages without a selection', async () => {
    expect(await markContactMessages(database.db, { ids: [], isRead: true, actor: 'x' })).toBe(0);
    expect(await deleteContactMessages(database.db, { ids: [], actor: 'x' })).toBe(0);
  });
});

describe('R45: the messages of a person', () => {
  const sender = { ...written, email: 'ada@Mail.example' };

  test.each([
    ['exports and erases those of a verified email', true, 0],
    ['neither exports nor erases those of an unverified email', false, 1],
  ])('R45: handles the messages of a person who leaves: %s', async (_, email_verified, left) => {
    const email = 'ada@mail.example';
    const user = await insertUser(database.db, { email, email_verified });
    await insertContactMessage(database.db, sender);
    await insertContactMessage(database.db, { ...sender, email: 'other@mail.example' });
    const exported = JSON.stringify(await exportAccount(database.db, user.id));
    expect(exported.split('desk lamp')).toHaveLength(2 - left);
    expect(await eraseAccount(testServices(database), user)).toEqual({ ok: true });
    const rows = await stored();
    expect(rows.filter((row) => row.email === sender.email)).toHaveLength(left);
    expect(rows.filter((row) => row.email === 'other@mail.example')).toHaveLength(1);
  });
});
