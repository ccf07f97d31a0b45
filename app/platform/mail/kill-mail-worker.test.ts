import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { useMailWorkers } from '#test/mail-worker-processes.ts';
import { startSmtpStandIn } from '#test/smtp-stand-in.ts';
import { queueMail } from './queue-mail.server.ts';

const database = useTestDatabase();
const workers = useMailWorkers(database, 'send-mails-until-killed.ts');

const countIn = async (state: 'sent' | 'queued') =>
  (await database.db.selectFrom('mail_outbox').select('id').where('state', '=', state).execute())
    .length;

// Proves R08: mail by an outbox only (queue-mail.server.ts)
test('R08: loses no email when a worker is killed before the response, and sends it again with the same Message-ID', async () => {
  const rounds = 5;
  let isSilent = true;
  const smtp = await startSmtpStandIn(() => (isSilent ? 'say-nothing' : 'accept'));
  for (let n = 0; n < rounds; n += 1) {
    await queueMail(database.db, {
      key: `k${n}`,
      kind: 'plain',
      to: `k${n}@reader.example`,
      props: { subject: `Mail ${n}`, text: 'Hello' },
    });
  }

  for (let round = 0; round < rounds; round += 1) {
    const before = smtp.mails.length;
    const arrived = Promise.withResolvers<void>();
    smtp.onMail(() => smtp.mails.length > before && arrived.resolve());
    const worker = await workers.start(smtp.port);
    await arrived.promise; // The server has the whole email, and the worker waits for the response.
    await workers.kill(worker);
    expect(await countIn('sent')).toBe(0);
  }

  isSilent = false;
  await workers.start(smtp.port);
  await expect.poll(() => countIn('sent'), { interval: 100 }).toBe(rounds);
  await workers.killAll();
  await smtp.close();

  expect(await countIn('queued')).toBe(0);
  expect(smtp.accepted.map(({ to }) => to).toSorted()).toEqual(
    Array.from({ length: rounds }, (_, n) => `k${n}@reader.example`),
  );
  const ids = new Map<string, Set<string>>();
  for (const { to, raw } of smtp.mails) {
    const { messageId = '' } = await PostalMime.parse(raw);
    ids.set(to, (ids.get(to) ?? new Set()).add(messageId));
  }
  expect([...ids.values()].map((seen) => seen.size)).toEqual(Array.from(ids, () => 1));
  expect(new Set([...ids.values()].flatMap((seen) => [...seen])).size).toBe(rounds);
  expect(smtp.mails.length).toBeGreaterThanOrEqual(2 * rounds);
});
