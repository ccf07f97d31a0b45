import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import { mails } from '#app/mails.server.ts';
import {
  requestPasswordReset,
  resetPassword,
} from '#app/features/accounts/passwords/reset-password.server.ts';
import { signUp } from '#app/features/accounts/people/sign-up.server.ts';
import {
  resendVerification,
  verifyEmail,
} from '#app/features/accounts/people/verify-email.server.ts';
import { queueFirstMail } from '#app/features/newsletter/subscribe-to-newsletter.server.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { retryMails } from '#app/platform/mail/outbox-queries.server.ts';
import { sendDueMails } from '#app/platform/mail/send-due-mails.server.ts';
import type { Delivery, OutgoingMail } from '#app/platform/mail/smtp-transport.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { writeSampleMails } from '#test/sample-mails.ts';
import { testOrigin } from '#test/origin.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { signIn } from '#test/staff.ts';

const database = useTestDatabase();
const email = 'maria@mail.example';
const password = 'rowing over lakes';
const acting = /[?&](?:token|email)=/;

let log: string[] = [];
let sent: OutgoingMail[] = [];
let count = 0;
beforeEach(() => {
  log = [];
  sent = [];
  count += 1;
});

/** Verifies the address as the user, who signed up with the password of these tests. */
const verify = (token = '') =>
  verifyEmail(
    services(),
    { token, password: 'walking the hills' },
    { origin: testOrigin, address: '192.0.2.9', userAgent: 'test' },
    null,
  );

const services = () => ({
  ...testServices(database),
  log: createLog('debug', { write: (line: string) => void log.push(line) }),
});

/** Makes all emails due, and sends them to a server that responds with this status. */
async function deliver(delivery: Delivery): Promise<void> {
  await database.db
    .updateTable('mail_outbox')
    .set({ due_at: new Date(0) })
    .execute();
  await sendDueMails(services(), {
    kinds: mails,
    readSite: readMailSite,
    transport: {
      description: 'a stand-in',
      deliver: async (mail) => {
        sent.push(mail);
        return delivery;
      },
      close: () => {},
    },
  });
}

const taken: Delivery = { outcome: 'sent', words: '250 ok' };
const bounced: Delivery = { outcome: 'refused', words: '550 full', isAddressRefused: false };
const later: Delivery = { outcome: 'later', words: '451 later', isUncertain: true };

const tokensSent = () =>
  sent.flatMap(({ text }) =>
    [...text.matchAll(/[?&]token=([\w.-]+)/g)].map(([, token = '']) => token),
  );
const states = async () =>
  (await database.db.selectFrom('mail_outbox').select('state').orderBy('id').execute()).map(
    ({ state }) => state,
  );

/**
 * Returns the tables that contain one of these tokens, which a thief of the database or a backup
 * would find. Includes the log.
 */
async function findStored(tokens: readonly string[]): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(database.db);
  const places: [string, string][] = [['the log', log.join('\n')]];
  for (const { name } of tables) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(database.db);
    places.push([name, JSON.stringify(rows)]);
  }
  return places
    .filter(([, text]) => tokens.some((token) => text.includes(token)))
    .map(([name]) => name);
}

const askForReset = () => requestPasswordReset(services(), email, `192.0.2.${count}`);

// Proves R60: links that act for their recipient (mail-kind.server.ts, account-mails.server.ts)
describe('R60: acting links', () => {
  test('R60: never stores an acting link in a table or log, before or after its email is sent, bounces or is resent', async () => {
    await signUp(
      services(),
      { fullName: 'Maria', email, password: 'walking the hills' },
      '192.0.2.9',
    );
    await askForReset();
    const subscription = await database.db
      .insertInto('newsletter_subscriptions')
      .values({ email, is_active: false })
      .returningAll()
      .executeTakeFirstOrThrow();
    await queueFirstMail(database.db, subscription, 'confirm');
    for (const delivery of [later, bounced]) await deliver(delivery);
    expect(await states()).toEqual(['failed', 'failed', 'failed']);
    await retryMails(database.db, null);
    await deliver(taken);
    expect(await states()).toEqual(['sent', 'sent', 'sent']);
    const tokens = tokensSent();
    expect(tokens.length).toBeGreaterThanOrEqual(9);
    expect(await findStored(tokens)).toEqual([]);
  });

  test('R60: accepts the acting link from every sending attempt until one is used, and then cancels waiting emails', async () => {
    const user = await insertUser(database.db, { email });
    await database.db
      .insertInto('accounts')
      .values({ id: 'a', account_id: user.id, provider_id: 'credential', user_id: user.id })
      .execute();
    await askForReset();
    await deliver(later);
    await deliver(bounced);
    await askForReset();
    const [first = '', second = ''] = tokensSent();
    expect(second).not.toBe(first);
    expect(await resetPassword(services(), { token: first, password })).toEqual({ ok: true });
    const again = await resetPassword(services(), { token: second, password: `${password} again` });
    expect(again).toEqual({ ok: false, reason: 'dead-link' });
    expect((await states()).slice(0, 2)).toEqual(['cancelled', 'cancelled']);
  });

  test('R60: does not send an acting link if the email address was verified or changed meanwhile', async () => {
    await signUp(
      services(),
      { fullName: 'Maria', email, password: 'walking the hills' },
      '192.0.2.9',
    );
    await deliver(later);
    expect(await verify(tokensSent()[0])).toMatchObject({ ok: true });
    await deliver(taken);
    expect(await states()).toEqual(['cancelled']);
    await askForReset();
    await database.db.updateTable('users').set({ email: 'other@mail.example' }).execute();
    await deliver(taken);
    expect(await states()).toEqual(['cancelled', 'cancelled']);
    expect(sent).toHaveLength(1);
  });

  test('R60: sends a new acting link when a user requests one', async () => {
    await signUp(
      services(),
      { fullName: 'Maria', email, password: 'walking the hills' },
      '192.0.2.9',
    );
    await resendVerification(services(), email, '192.0.2.9');
    await deliver(taken);
    expect(await verify(tokensSent()[1])).toMatchObject({ ok: true });
  });

  test.each(['admin', 'super_admin'] as const)(
    'R60: does not show an acting link to a %s, in any kind of email',
    async (role) => {
      await writeSampleMails(database.db, ['Lamp', 'Desk', 'Chair']);
      const { cookie } = await signIn(database, { role });
      const site = testSite(database);
      const rows = await database.db.selectFrom('mail_outbox').select(['id', 'kind']).execute();
      expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(Object.keys(mails)));
      const links = await database.db.selectFrom('verifications').select('id').execute();
      for (const { id, kind } of rows) {
        for (const path of [
          `/admin/outbox/${id}`,
          `/admin/outbox/${id}.data`,
          `/admin/outbox/${id}/html`,
        ]) {
          const { html } = await site.page(path, { headers: { cookie } });
          expect([kind, path, acting.exec(html)?.[0]]).toEqual([kind, path, undefined]);
        }
      }
      // Viewing the email creates no link either.
      const after = await database.db.selectFrom('verifications').select('id').execute();
      expect(after).toEqual(links);
    },
  );

  test('R60: prints an acting link on the server, as the screen states', async () => {
    await signUp(
      services(),
      { fullName: 'Maria', email, password: 'walking the hills' },
      '192.0.2.9',
    );
    const { cookie } = await signIn(database, { role: 'super_admin' });
    const { id } = await database.db
      .selectFrom('mail_outbox')
      .select('id')
      .executeTakeFirstOrThrow();
    const { html } = await testSite(database).page(`/admin/outbox/${id}`, { headers: { cookie } });
    expect(html).toContain('/verify-email?…');
    expect(html).toMatch(/<code>deals mail show (?:<!-- -->)?\d+<\/code>/);
    await deliver(taken);
    const afterwards = await testSite(database).page(`/admin/outbox/${id}`, {
      headers: { cookie },
    });
    expect(afterwards.html).toContain('/verify-email?…');
    expect(afterwards.html).not.toContain('deals mail show');
  });
});
