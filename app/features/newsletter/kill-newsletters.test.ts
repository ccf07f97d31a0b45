import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { sql } from 'kysely';
import { useTestDatabase } from '#test/database.ts';
import { useMailWorkers } from '#test/mail-worker-processes.ts';
import { testServices } from '#test/services.ts';
import { startSmtpStandIn } from '#test/smtp-stand-in.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { createNewsletter } from './change-newsletter.server.ts';
import { startNewsletter } from './send-newsletter.server.ts';

const database = useTestDatabase();
const workers = useMailWorkers(database, 'send-newsletters-until-killed.ts');
const readers = 60;

async function begin(): Promise<void> {
  const { db } = database;
  await writeSiteSetting(db, 'postalAddress', '1 Main St', 'test');
  await writeSiteSetting(db, 'newsletterPerHour', 36_000, 'test'); // ten emails a second
  await sql`insert into newsletter_subscriptions (email, subscribed_at)
    select 'reader' || n || '@mail.example', now() - interval '1 day' from generate_series(1, ${readers}::integer) n`.execute(
    db,
  );
  const input = {
    subject: 'Lamps',
    preview: '',
    content: '<p>Light.</p>',
    audience_since: null,
    audience_confirmed: false,
    subject_b: 'Lights',
    test_percent: 50,
  };
  const saved = await createNewsletter(db, input, { actor: 'ada', origin: 'https://deals.test' });
  const id = saved.ok ? saved.newsletter.id : 0;
  const seen = { actor: 'ada', expectedVersion: 1, until: new Date() };
  const services = testServices(database, { SMTP_HOST: '127.0.0.1' });
  expect(await startNewsletter(services, id, seen)).toEqual({ ok: true, recipients: readers });
}

// Proves R08: mail by an outbox only (queue-newsletters.server.ts)
test('sends each subscriber the newsletter once, no matter which process is killed and when (R08)', async () => {
  await begin();
  // In each round, the server does not reply to the last email, and the process that waits for the
  // reply is killed.
  let silentAfter = 0;
  const smtp = await startSmtpStandIn((_to, step) =>
    step === 'data' && smtp.mails.length >= silentAfter ? 'say-nothing' : 'accept',
  );
  const cut: string[] = [];
  for (let round = 0; round < 8; round++) {
    silentAfter = smtp.mails.length + round;
    const arrived = Promise.withResolvers<void>();
    smtp.onMail(() => smtp.mails.length > silentAfter && arrived.resolve());
    const worker = await workers.start(smtp.port);
    await arrived.promise;
    await workers.kill(worker);
    cut.push(...smtp.mails.filter((mail) => mail.behaviour === 'say-nothing').map(({ to }) => to));
  }
  silentAfter = Infinity;
  await workers.start(smtp.port);
  const state = async () =>
    (await database.db.selectFrom('newsletters').select('state').executeTakeFirstOrThrow()).state;
  await expect.poll(state, { timeout: 40_000, interval: 100 }).toBe('sent');
  await workers.killAll();
  await smtp.close();

  const rows = await database.db.selectFrom('mail_outbox').select(['key', 'state']).execute();
  expect(rows).toHaveLength(readers);
  expect(rows.every((row) => row.state === 'sent')).toBe(true);
  const accepted = Map.groupBy(smtp.accepted, ({ to }) => to);
  expect(accepted.size).toBe(readers);
  // Each process sends three emails at once.
  expect(smtp.accepted.length).toBeLessThanOrEqual(readers + cut.length * 3);
  // If a process is killed after the server accepts an email but before the result is stored, the
  // email is sent again. Its Message-ID is the same.
  const ids = new Map<string, Set<string>>();
  const subjects = new Map<string, Set<string | undefined>>();
  for (const { to, raw } of smtp.mails) {
    const { messageId = '', subject } = await PostalMime.parse(raw);
    subjects.set(to, (subjects.get(to) ?? new Set()).add(subject));
    ids.set(to, (ids.get(to) ?? new Set()).add(messageId));
  }
  expect([...ids.values()].every((seen) => seen.size === 1)).toBe(true);
  expect(new Set([...ids.values()].flatMap((seen) => [...seen])).size).toBe(readers);
  // No subscriber gets both subjects of the test.
  expect([...subjects.values()].every((seen) => seen.size === 1)).toBe(true);
  expect(new Set([...subjects.values()].flatMap((seen) => [...seen]))).toEqual(
    new Set(['Lamps', 'Lights']),
  );
  expect(cut.length).toBeGreaterThanOrEqual(8);
});
