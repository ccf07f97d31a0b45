import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { insertCategory, insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { seededRandom } from '#database/seed/seeded-random.ts';
import { useTestDatabase } from '#test/database.ts';
import { useMailWorkers } from '#test/mail-worker-processes.ts';
import { type SmtpBehaviour, type SmtpStandIn, startSmtpStandIn } from '#test/smtp-stand-in.ts';

const database = useTestDatabase();
const processes = useMailWorkers(database, 'sell-and-mail-until-killed.ts');
const kills = 20;
const falls = 100;
const undoneFalls = 15;
/** number of mailboxes that always reject with 550 */
const gone = 4;

/**
 * Creates one user, one deal at $100 and one alert for $90 each, so that every alert has its own
 * mailbox.
 */
async function armAlerts(): Promise<void> {
  const { db } = database;
  const category = await insertCategory(db);
  const merchant = await insertMerchant(db);
  const names = [
    ...Array.from({ length: falls - gone }, (_, n) => `falls-${n}`),
    ...Array.from({ length: gone }, (_, n) => `gone-${n}`),
    ...Array.from({ length: undoneFalls }, (_, n) => `undone-${n}`),
  ];
  for (const slug of names) {
    const user = await insertUser(db, { email: `${slug}@reader.example` });
    const deal = await insertDeal(db, {
      slug,
      sale_price: 10_000,
      original_price: null,
      category_id: category.id,
      merchant_id: merchant.id,
    });
    await db
      .insertInto('price_alerts')
      .values({ user_id: user.id, deal_id: deal.id, target_price: 9000, target_percent: null })
      .execute();
  }
}

/**
 * Starts a mail server that fails randomly until `isCalm`. Each delivery has the same behavior in
 * all its steps.
 */
function moodySmtp(seed: number, mood: { isCalm: boolean }, port?: number) {
  const random = seededRandom(seed);
  const whims: SmtpBehaviour[] = [
    ...Array.from({ length: 6 }, () => 'accept' as const),
    { at: 'recipient', code: 451, words: '4.3.0 come back later' },
    { at: 'data', code: 452, words: '4.3.1 no room at the moment' },
    'hang-up-before-data',
    'hang-up-after-data',
    'hang-up-after-data',
    'say-nothing',
    { at: 'data', afterMs: 1500 }, // ms; longer than an unrenewed lease
    { at: 'data', afterMs: 300 },
  ];
  const now = new Map<string, SmtpBehaviour>();
  return startSmtpStandIn(
    (recipient, step) => {
      if (recipient.startsWith('gone-')) {
        return { at: 'recipient', code: 550, words: '5.1.1 nobody of that name' };
      }
      if (step === 'recipient') now.set(recipient, mood.isCalm ? 'accept' : random.pick(whims));
      return now.get(recipient) ?? 'accept';
    },
    port === undefined ? {} : { port },
  );
}

const outbox = () => database.db.selectFrom('mail_outbox').selectAll().orderBy('id').execute();

/**
 * Returns emails that were completely delivered but not recorded, because the worker was killed.
 */
async function findCutOff(smtp: SmtpStandIn): Promise<SmtpStandIn['mails']> {
  const unsaid = new Set(
    (await outbox()).filter(({ state }) => state === 'queued').map(({ recipient }) => recipient),
  );
  return smtp.mails.filter(({ to }) => unsaid.has(to));
}

const isCutByServer = ({ behaviour }: SmtpStandIn['mails'][number]) =>
  behaviour === 'hang-up-after-data' || behaviour === 'say-nothing';
const isRefused = ({ behaviour }: SmtpStandIn['mails'][number]) =>
  typeof behaviour === 'object' && 'code' in behaviour;

// Proves R08: mail outbox (app/platform/mail/queue-mail.server.ts)
test.each([1, 2])(
  'R08: delivers every alert and no others, with %i worker(s) killed 20 times and a failing mail server',
  async (workers) => {
    const seed = Date.now() % 1_000_000;
    const random = seededRandom(seed);
    const mood = { isCalm: false };
    await armAlerts();

    // The mail server is down at first: its port is known, but nothing is listening.
    const probe = await startSmtpStandIn();
    await probe.close();
    let smtp: SmtpStandIn | null = null;
    const cutByKill = new Set<SmtpStandIn['mails'][number]>();
    const running: ChildProcess[] = [];
    for (let n = 0; n < workers; n += 1) running.push(await processes.start(probe.port));
    for (let n = 0; n < kills; n += 1) {
      if (n === 3) smtp = await moodySmtp(seed, mood, probe.port);
      await sleep(random.between(50, 900));
      const victim = running.shift();
      if (victim) await processes.kill(victim);
      if (smtp) for (const mail of await findCutOff(smtp)) cutByKill.add(mail);
      running.push(await processes.start(probe.port));
    }
    if (!smtp) throw new Error('the mail server never came');

    // Failures continue until some have occurred, since a slow server may have done little between
    // the kills.
    const felt = ({ mails }: SmtpStandIn) =>
      mails.filter((mail) => isCutByServer(mail) || isRefused(mail));
    await expect
      .poll(() => smtp && felt(smtp).some(isCutByServer) && felt(smtp).length > gone, {
        timeout: 120_000,
      })
      .toBe(true);
    mood.isCalm = true;
    await expect
      .poll(
        async () =>
          (await outbox()).filter(({ state }) => state === 'sent' || state === 'failed').length,
        { timeout: 120_000, interval: 200 },
      )
      .toBe(falls);
    await processes.killAll();
    await smtp.close();

    // No email is lost, and none is sent for a price that never existed.
    const arrivals = Map.groupBy(smtp.mails, ({ to }) => to);
    const rows = await outbox();
    const failed = rows.filter(({ recipient }) => recipient.startsWith('gone-'));
    expect(failed.map(({ state, last_error }) => `${state} ${last_error}`)).toEqual(
      failed.map(() => expect.stringMatching(/^failed .*5\.1\.1/)),
    );
    expect(failed).toHaveLength(gone);
    const sent = rows.filter((row) => !failed.includes(row));
    const taken = new Set(smtp.accepted.map(({ to }) => to));
    expect(sent.filter((row) => row.state !== 'sent' || !taken.has(row.recipient))).toEqual([]);
    expect(sent).toHaveLength(falls - gone);

    const ids = new Set<string>();
    for (const { recipient } of sent) {
      const came = arrivals.get(recipient) ?? [];
      // All emails before the last one were rejected, or cut off before the reply.
      const unexplained = came
        .slice(0, -1)
        .filter((mail) => !isRefused(mail) && !isCutByServer(mail) && !cutByKill.has(mail));
      expect([seed, recipient, unexplained]).toEqual([seed, recipient, []]);
      const own = new Set<string>();
      for (const { raw } of came) own.add((await PostalMime.parse(raw)).messageId ?? '');
      expect([recipient, own.size, own.has('')]).toEqual([recipient, 1, false]);
      for (const id of own) ids.add(id);
    }
    expect(ids.size).toBe(falls - gone);
    expect([...arrivals.keys()].filter((to) => to.startsWith('undone'))).toEqual([]);
    expect((await outbox()).filter(({ recipient }) => recipient.startsWith('undone'))).toEqual([]);

    const alerts = await database.db
      .selectFrom('price_alerts')
      .innerJoin('deals', 'deals.id', 'price_alerts.deal_id')
      .select([
        'deals.slug',
        'price_alerts.is_active',
        'price_alerts.fired_price',
        'deals.sale_price',
      ])
      .execute();
    for (const { slug, is_active, fired_price, sale_price } of alerts) {
      const isUndone = slug.startsWith('undone');
      expect([slug, is_active, fired_price, sale_price]).toEqual(
        isUndone ? [slug, true, null, 10_000] : [slug, false, 8000, 8000],
      );
    }
    const events = await database.db.selectFrom('price_alert_events').select('alert_id').execute();
    expect([events.length, new Set(events.map((one) => one.alert_id)).size]).toEqual([
      falls,
      falls,
    ]);
    // Failures did occur.
    expect(smtp.mails.filter(isCutByServer).length).toBeGreaterThan(0);
    expect(smtp.mails.length).toBeGreaterThan(falls);
  },
);
