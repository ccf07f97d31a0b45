import { sql } from 'kysely';
import { expect, test } from 'vitest';
import * as fc from '#test/fast-check.ts';
import { useChannelStandIn } from '#test/channel-stand-in.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertAlertChannel } from '#test/factories/insert-alert-channel.ts';
import { insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { alertWorkers } from '#test/send-alerts.ts';
import type { GoesTo } from '#database/schema/alert-tables.ts';
import { handOverMail } from './hand-over-mail.server.ts';
import { removeAlertChannel } from './end-alert-channel.server.ts';

// Tests random sequences of alerts, channels, failures and kills. Every alert must arrive by the
// method that its owner chose, and by the other one only if that was impossible. A failure prints
// its seed and the shortest failing sequence. TEST_SEED=random uses new sequences.

const database = useTestDatabase();
const standIn = useChannelStandIn();
const { sendMails, sendMessages, letPass } = alertWorkers(database);

type Step =
  | { fire: GoesTo }
  /** The service is down, or its room was deleted. */
  | { fault: 404 | 503 }
  /** `kill` ends the email worker after it passed emails to channels. */
  | { do: 'add' | 'remove' | 'send mails' | 'send messages' | 'kill' | 'wait' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ fire: fc.constantFrom<GoesTo>('both', 'mail', 'channels') }),
  },
  { weight: 2, arbitrary: fc.record({ fault: fc.constantFrom<404 | 503>(404, 503) }) },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'add' as const,
        'add' as const,
        'remove',
        'send mails',
        'send messages',
        'kill',
        'wait',
      ),
    }),
  },
);
const walk = fc.array(step, { minLength: 6, maxLength: 24, size: 'max' });

interface Person {
  userId: string;
  merchantId: number;
  channels: number;
  /** The alerts that fired, by title. */
  fired: Map<string, GoesTo>;
}

test.each(process.env['TEST_SEED'] === 'random' ? [Date.now() | 0] : [1, 2, 3, 4])(
  'delivers every alert once by the chosen method in random sequences with seed %i',
  async (seed) => {
    const { id: merchantId } = await insertMerchant(database.db);
    await fc.assert(
      fc.asyncProperty(walk, async (steps) => {
        await database.db.deleteFrom('mail_outbox').execute();
        standIn().clear();
        const { id: userId } = await insertUser(database.db, { email_verified: true });
        const person: Person = { userId, merchantId, channels: 0, fired: new Map() };
        for (const one of steps) await take(person, one);
        standIn().faults.length = 0;
        while (await isWaiting()) {
          await letPass();
          await sendMails();
          await sendMessages();
        }
        for (const [title, goesTo] of person.fired) {
          const mails = await countMails(title);
          const messages = standIn().shown.filter(({ text }) => text.includes(title)).length;
          const isTold = rules[goesTo]({ mails, messages, channels: person.channels });
          expect({ title, goesTo, mails, messages, isTold }).toMatchObject({ isTold: true });
        }
      }),
      { seed, numRuns: 15 },
    );
  },
);

interface Told {
  mails: number;
  messages: number;
  /** Every channel that was ever added. */
  channels: number;
}

const rules: Record<GoesTo, (told: Told) => boolean> = {
  mail: ({ mails, messages }) => mails === 1 && messages === 0,
  both: ({ mails, messages, channels }) => mails === 1 && messages <= channels,
  channels: ({ mails, messages, channels }) =>
    messages === 0 ? mails === 1 : mails === 0 && messages <= channels,
};

async function isWaiting(): Promise<boolean> {
  const { rows } = await sql`
    select from mail_outbox where state = 'queued' union all select from alert_messages where state = 'queued'`.execute(
    database.db,
  );
  return rows.length > 0;
}

async function countMails(title: string): Promise<number> {
  const { rows } = await sql`
    select from mail_outbox m join price_alerts a on a.id = (m.payload ->> 'alertId')::bigint
      join deals d on d.id = a.deal_id where d.title = ${title} and m.state = 'sent'`.execute(
    database.db,
  );
  return rows.length;
}

async function take(person: Person, one: Step): Promise<void> {
  const { db } = database;
  const { userId } = person;
  if ('fire' in one) return fire(person, one.fire);
  if ('fault' in one) return void standIn().faults.push({ status: one.fault });
  const acts: Record<typeof one.do, () => Promise<unknown>> = {
    add: async () => {
      person.channels += 1;
      await insertAlertChannel(db, userId, 'matrix', standIn().settings.matrix);
    },
    remove: async () => {
      const own = db.selectFrom('alert_channels').select('id').where('user_id', '=', userId);
      const [first] = await own.orderBy('id').execute();
      if (first) await removeAlertChannel(db, first.id, userId);
    },
    'send mails': sendMails,
    'send messages': sendMessages,
    kill: async () => {
      const queued = db.selectFrom('mail_outbox').selectAll().where('state', '=', 'queued');
      for (const mail of await queued.execute()) await handOverMail(db, mail);
    },
    wait: letPass,
  };
  await acts[one.do]();
}

/** Sets an alert whose target is met already, so that it fires at once. */
async function fire({ userId, merchantId, fired }: Person, goes_to: GoesTo): Promise<void> {
  const { db } = database;
  const title = `Lamp no. ${userId.slice(0, 8)} ${fired.size}.`;
  fired.set(title, goes_to);
  // Another test covers the limit of ten emails a day.
  await db.deleteFrom('alert_mail_days').execute();
  const deal = await insertDeal(db, { title, sale_price: 8_000, merchant_id: merchantId });
  await db
    .insertInto('price_alerts')
    .values({
      user_id: userId,
      deal_id: deal.id,
      target_price: 9_000,
      target_percent: null,
      goes_to,
    })
    .execute();
}
