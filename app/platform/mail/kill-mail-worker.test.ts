import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import PostalMime from 'postal-mime';
import { afterEach, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { type SmtpStandIn, startSmtpStandIn } from '#test/smtp-stand-in.ts';
import { queueMail } from './queue-mail.server.ts';

const database = useTestDatabase();
const program = fileURLToPath(
  new URL('../../../test/fixtures/send-mails-until-killed.ts', import.meta.url),
);
const children = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of children) await kill(child);
});

function startWorker(smtp: SmtpStandIn): ChildProcess {
  const child = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      ORIGIN: 'https://deals.test',
      DATABASE_URL: database.url,
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(smtp.port),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.add(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  children.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

const countIn = async (state: 'sent' | 'queued') =>
  (await database.db.selectFrom('mail_outbox').select('id').where('state', '=', state).execute())
    .length;

test('a worker killed between the mail and the word on it loses nothing: the next sends it with the same Message-ID (R08)', async () => {
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
    const worker = startWorker(smtp);
    await arrived.promise; // the whole mail is over there, and the worker waits for the word
    await kill(worker);
    expect(await countIn('sent')).toBe(0);
  }

  isSilent = false;
  const last = startWorker(smtp);
  await expect.poll(() => countIn('sent'), { timeout: 15_000, interval: 100 }).toBe(rounds);
  await kill(last);
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
}, 60_000);
