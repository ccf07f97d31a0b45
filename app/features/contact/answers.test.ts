import PostalMime from 'postal-mime';
import { beforeEach, describe, expect, test } from 'vitest';
import { mails } from '#app/mails.server.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { sendDueMails } from '#app/platform/mail/send-due-mails.server.ts';
import { smtpTransport } from '#app/platform/mail/smtp-transport.server.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import { insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { startSmtpStandIn } from '#test/smtp-stand-in.ts';
import { testServices } from '#test/services.ts';
import { solveCaptcha } from '#test/solve-captcha.ts';
import { answerContactMessage } from './answer-contact-message.server.ts';
import { assignContactMessages } from './assign-contact-messages.server.ts';
import { closeContactMessages } from './close-contact-messages.server.ts';
import {
  countMessageViews,
  findContactMessage,
  insertContactMessage,
  listAnswers,
  listContactMessages,
} from './contact-queries.server.ts';
import { contactTable } from './contact-table.ts';
import { deleteContactMessages } from './delete-contact-messages.server.ts';
import { sendContactMessage } from './send-contact-message.server.ts';

const database = useTestDatabase();
const written = {
  name: 'Ada Visitor',
  email: 'ada@mail.example',
  subject: 'A price is wrong',
  message: 'The lamp costs more.\nSee https://evil.example/x',
};
beforeEach(async () => {
  await insertUser(database.db, { id: 'clerk', role: 'admin', email: 'clerk@shop.example' });
  await insertUser(database.db, { id: 'owner', role: 'super_admin' });
});

const add = () => insertContactMessage(database.db, written);
const answer = (
  messageId: number,
  overrides: Partial<Parameters<typeof answerContactMessage>[1]> = {},
) =>
  answerContactMessage(database.db, {
    messageId,
    actor: 'clerk',
    op: 'form-number-1',
    body: 'It is right now.',
    isLast: false,
    ...overrides,
  });
const acts = async () =>
  (await database.db.selectFrom('audit_log').select('action').orderBy('id').execute()).map(
    ({ action }) => action,
  );

describe('an answer', () => {
  // Proves P31: answers from the inbox (answer-contact-message.server.ts)
  test('stores an answer with its message once, even if the form is sent repeatedly, and assigns the message', async () => {
    const id = await add();
    const twice = await Promise.all([answer(id), answer(id)]);
    expect(twice).toEqual([
      { ok: true, email: written.email },
      { ok: true, email: written.email },
    ]);
    expect(await listAnswers(database.db, id)).toMatchObject([
      { body: 'It is right now.', author: 'clerk@shop.example', mail: 'queued' },
    ]);
    expect(await findContactMessage(database.db, id)).toMatchObject({
      is_read: true,
      assigned_to: 'clerk',
      closed_at: null,
      answers: 1,
    });
    await answer(id, { op: 'form-number-2', actor: 'owner', isLast: true });
    expect(await findContactMessage(database.db, id)).toMatchObject({
      assigned_to: 'clerk',
      closed_at: expect.any(Date),
      answers: 2,
    });
    expect(await acts()).toEqual(['contact.answer', 'contact.answer', 'contact.close']);
  });

  test('rejects an answer to a deleted message, and stores nothing', async () => {
    expect(await answer(4711)).toEqual({ ok: false, reason: 'missing' });
    const { id } = await database.db
      .insertInto('contact_messages')
      .values({ ...written, email: 'no address' })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(await answer(id)).toEqual({ ok: false, reason: 'bad-address' });
    expect(await listAnswers(database.db, id)).toEqual([]);
    expect(await acts()).toEqual([]);
  });

  test('sends an answer in one thread with the site as reply-to, and shows a rejected one as failed', async () => {
    const smtp = await startSmtpStandIn((to) =>
      to === 'gone@mail.example' ? { at: 'recipient', code: 550, words: 'no such user' } : 'accept',
    );
    const env = readEnv({
      ORIGIN: 'https://deals.test',
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(smtp.port),
    });
    const transport = smtpTransport(env.mail);
    const send = () =>
      sendDueMails(
        { db: database.db, env, log: createLog('silent') },
        { kinds: mails, readSite: readMailSite, transport },
      );
    await writeSiteSetting(database.db, 'contactEmail', 'team@deals.test', 'owner');
    const services = testServices(database);
    const form = new FormData();
    for (const [name, value] of Object.entries(written)) form.set(name, value);
    form.set('captcha_token', await solveCaptcha(services));
    await sendContactMessage(services, form, '192.0.2.1');
    const { id } = await database.db
      .selectFrom('contact_messages')
      .select('id')
      .executeTakeFirstOrThrow();
    await answer(id);
    await answer(id, { op: 'form-number-2', body: 'One more thing.' });
    const bad = await insertContactMessage(database.db, { ...written, email: 'gone@mail.example' });
    await answer(bad, { op: 'form-number-3' });
    await send();
    transport.close();
    await smtp.close();

    const parsed = await Promise.all(smtp.accepted.map(({ raw }) => PostalMime.parse(raw)));
    const byText = (words: string) => {
      const mail = parsed.find(({ text, subject }) => `${subject} ${text}`.includes(words));
      if (!mail) throw new Error(`no mail says ${words}`);
      return mail;
    };
    const confirmation = byText('We received your message');
    const one = byText('It is right now.');
    const two = byText('One more thing.');
    expect(one.to).toEqual([{ name: '', address: 'ada@mail.example' }]);
    expect(one.subject).toBe('Re: A price is wrong');
    expect(one.replyTo).toEqual([{ name: '', address: 'team@deals.test' }]);
    expect(one.inReplyTo).toBe(confirmation.messageId);
    expect(two.inReplyTo).toBe(one.messageId);
    expect(two.references).toBe(`${confirmation.messageId} ${one.messageId}`);
    expect(one.text).toContain('The lamp costs more.');
    expect(one.html).not.toContain('href="https://evil.example');
    const isAutomatic = (mail: typeof one) =>
      mail.headers.some(({ key }) => key === 'auto-submitted');
    expect([isAutomatic(confirmation), isAutomatic(one)]).toEqual([true, false]);
    // Replies to the site's copy go to the sender.
    expect(byText('Contact form:').replyTo).toEqual([{ name: '', address: 'ada@mail.example' }]);

    expect(await listAnswers(database.db, bad)).toMatchObject([
      { mail: 'failed', mailError: expect.stringContaining('no such user') },
    ]);
    expect(await findContactMessage(database.db, bad)).toMatchObject({ hasFailed: true });
    expect(await findContactMessage(database.db, id)).toMatchObject({ hasFailed: false });
  });

  test('deletes an answer with its message, and cancels the email', async () => {
    const id = await add();
    await answer(id);
    await deleteContactMessages(database.db, { ids: [id], actor: 'owner' });
    expect(await database.db.selectFrom('contact_answers').selectAll().execute()).toEqual([]);
    const [mail] = await database.db.selectFrom('mail_outbox').selectAll().execute();
    const site = await readMailSite(database.db, testServices(database).env);
    if (!mail) throw new Error('no mail');
    expect(await mails['contact-answer']?.write(database.db, mail, site, 'send')).toBeNull();
  });
});

describe('assignment and state of a message', () => {
  const listed = async (search: string, viewer = 'clerk') =>
    (
      await listContactMessages(
        database.db,
        parseTableQuery(contactTable, new URLSearchParams(search)),
        viewer,
      )
    ).rows.map(({ id }) => id);

  test('assigns a message to staff only, and notifies them once', async () => {
    const id = await add();
    await insertUser(database.db, { id: 'buyer' });
    await insertUser(database.db, {
      id: 'shut-out',
      role: 'admin',
      suspended_at: new Date(),
      suspended_for: 'x',
    });
    const give = (to: string | null) =>
      assignContactMessages(database.db, { ids: [id], to, actor: 'owner' });
    for (const to of ['buyer', 'shut-out', 'missing']) {
      expect(await give(to)).toEqual({ ok: false, reason: 'not-staff' });
    }
    const given = { ok: true, changed: 1, to: 'clerk@shop.example' };
    expect(await give('clerk')).toEqual(given);
    expect(await give('clerk')).toEqual({ ...given, changed: 0 });
    expect(await give(null)).toEqual({ ok: true, changed: 1, to: null });
    const log = await database.db.selectFrom('audit_log').selectAll().orderBy('id').execute();
    expect(log).toMatchObject([
      { action: 'contact.assign', after: { assigned_to: 'clerk' } },
      { action: 'contact.unassign', after: null },
    ]);
  });

  test('notifies the assignee by email, unless the message is closed or reassigned by then', async () => {
    const id = await add();
    const give = (to: string, actor = 'owner') =>
      assignContactMessages(database.db, { ids: [id], to, actor });
    await give('owner');
    await give('clerk');
    const [mail, ...more] = await database.db.selectFrom('mail_outbox').selectAll().execute();
    if (!mail || more.length > 0) throw new Error('not one mail');
    const site = await readMailSite(database.db, testServices(database).env);
    const write = () => mails['contact-assigned']?.write(database.db, mail, site, 'send');
    expect(mail.recipient).toBe('clerk@shop.example');
    expect((await write())?.text).toContain(`/admin/messages/${id}`);
    await closeContactMessages(database.db, { ids: [id], isClosed: true, actor: 'clerk' });
    expect(await write()).toBeNull();
    await closeContactMessages(database.db, { ids: [id], isClosed: false, actor: 'clerk' });
    await give('owner', 'clerk');
    expect(await write()).toBeNull();
  });

  // Proves P31: who has a message, and whether it is closed (contact-queries.server.ts)
  test('lists and counts open, own and closed messages', async () => {
    const [one, two, three] = [await add(), await add(), await add()];
    await assignContactMessages(database.db, { ids: [one, two], to: 'clerk', actor: 'owner' });
    const close = (ids: number[], isClosed: boolean) =>
      closeContactMessages(database.db, { ids, isClosed, actor: 'owner' });
    expect(await close([two], true)).toBe(1);
    expect(await close([two], true)).toBe(0);
    expect(await listed('sort=received')).toEqual([one, three]);
    expect(await listed('state=mine')).toEqual([one]);
    expect(await listed('state=mine', 'owner')).toEqual([]);
    expect(await listed('state=closed')).toEqual([two]);
    expect(await listed('state=all&sort=received')).toEqual([one, two, three]);
    expect(await countMessageViews(database.db, 'clerk')).toEqual({
      open: 2,
      mine: 1,
      unread: 2,
      closed: 1,
      all: 3,
    });
    expect(await close([two, three], false)).toBe(1);
    expect(await findContactMessage(database.db, two)).toMatchObject({
      closed_at: null,
      closer: null,
    });
    expect(await acts()).toEqual([
      'contact.assign',
      'contact.assign',
      'contact.close',
      'contact.reopen',
    ]);
  });
});
