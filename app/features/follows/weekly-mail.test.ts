import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { listDealsByIds } from '#app/features/deals/deal-list-queries.server.ts';
import type { OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertDeal, insertMerchant, insertProduct, insertUser } from '#test/factories/insert.ts';
import { sampleSite } from '#test/sample-mails.ts';
import { describeReasons } from './describe-reasons.server.ts';
import { followMails } from './follow-mails.server.ts';
import { listFollows, setMailedWeekly } from './follow-queries.server.ts';
import { mailFollows } from './mail-follows-job.server.ts';
import { follow, unfollowAll } from './set-follow.server.ts';

const database = useTestDatabase();

/** Stores the follows of a user who wants the email and whose week is over. */
async function insertReader(merchantId: number, overrides: Parameters<typeof insertUser>[1] = {}) {
  const user = await insertUser(database.db, overrides);
  await follow(database.db, user.id, [{ kind: 'merchant', id: merchantId }]);
  await setMailedWeekly(database.db, user.id, true);
  return user;
}

async function endWeek(): Promise<void> {
  const { db } = database;
  await sql`update deals set created_at = created_at - interval '7 days'`.execute(db);
  await sql`update users set follows_mailed_at = follows_mailed_at - interval '7 days'`.execute(db);
}

const mails = (): Promise<OutboxMail<{ dealIds: number[] }>[]> =>
  database.db.selectFrom('mail_outbox').selectAll().orderBy('id').execute() as never;
const write = (mail: OutboxMail | undefined) => {
  if (!mail) throw new Error('nothing was queued');
  return followMails['follows-weekly'].write(database.db, mail, sampleSite, 'send');
};

test('emails the new deals of the week with their reasons and an unsubscribe link', async () => {
  const { db } = database;
  const store = await insertMerchant(db, { name: 'Pixel Harbor' });
  const old = await insertDeal(db, { merchant_id: store.id });
  const user = await insertReader(store.id);
  const deal = await insertDeal(db, { merchant_id: store.id, title: 'A brass lamp' });
  await insertDeal(db, { title: 'A deal of another store' });
  await endWeek();
  await mailFollows({ db });
  const [mail, ...others] = await mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ user_id: user.id, is_bulk: true, payload: { dealIds: [deal.id] } });
  expect(mail?.payload.dealIds).not.toContain(old.id);
  const written = await write(mail);
  expect(written?.subject).toBe('1 new deal from what you follow');
  expect(written?.text).toContain('A brass lamp');
  expect(written?.text).toContain('Because you follow Pixel Harbor');
  expect(written?.unsubscribePath).toMatch(/^\/stop-mails\/one-click\?token=v1\.follows\./);
});

test('emails at most 12 deals, and sorts equal savings newest first', async () => {
  const { db } = database;
  const { id: merchant_id } = await insertMerchant(db);
  await insertReader(merchant_id);
  const ids = [];
  for (let n = 0; n < 14; n += 1) ids.push((await insertDeal(db, { merchant_id })).id);
  await endWeek();
  await mailFollows({ db });
  expect((await mails())[0]?.payload.dealIds).toEqual(ids.toReversed().slice(0, 12));
});

test('emails each product only once', async () => {
  const { db } = database;
  const { id: merchant_id } = await insertMerchant(db);
  await insertReader(merchant_id);
  const { id: product_id } = await insertProduct(db);
  const other = await insertDeal(db, { merchant_id });
  await insertDeal(db, { merchant_id, product_id });
  const newest = await insertDeal(db, { merchant_id, product_id });
  await endWeek();
  await mailFollows({ db });
  expect((await mails())[0]?.payload.dealIds).toEqual([newest.id, other.id]);
});

test('sends no weekly email without new deals, before the week is over, or if the user turned it off', async () => {
  const { db } = database;
  const { id: merchant_id } = await insertMerchant(db);
  const user = await insertReader(merchant_id);
  await endWeek();
  await mailFollows({ db });
  await insertDeal(db, { merchant_id });
  await mailFollows({ db });
  await setMailedWeekly(db, user.id, false);
  await endWeek();
  await mailFollows({ db });
  expect(await mails()).toEqual([]);
});

test('sends no email to suspended users or unverified addresses', async () => {
  const { db } = database;
  const { id: merchant_id } = await insertMerchant(db);
  await insertReader(merchant_id, { suspended_at: new Date(), suspended_for: 'spam' });
  await insertReader(merchant_id, { email_verified: false });
  await insertDeal(db, { merchant_id });
  await endWeek();
  await mailFollows({ db });
  expect(await mails()).toEqual([]);
});

test('omits deals that ended or are no longer followed, and cancels an email without deals', async () => {
  const { db } = database;
  const [first, second] = [await insertMerchant(db), await insertMerchant(db)];
  const user = await insertReader(first.id);
  await follow(db, user.id, [{ kind: 'merchant', id: second.id }]);
  const ended = await insertDeal(db, { merchant_id: first.id, title: 'Ended lamp' });
  await insertDeal(db, { merchant_id: second.id, title: 'Live lamp' });
  await endWeek();
  await mailFollows({ db });
  await db
    .updateTable('deals')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .where('id', '=', ended.id)
    .execute();
  const [mail] = await mails();
  const written = await write(mail);
  expect(written?.text).toContain('Live lamp');
  expect(written?.text).not.toContain('Ended lamp');
  await unfollowAll(db, user.id);
  expect(await write(mail)).toBeNull();
});

test('omits deals of stores that hide old prices', async () => {
  const { db } = database;
  const { id: merchant_id } = await insertMerchant(db, { hide_price_after_hours: 24 });
  await insertReader(merchant_id);
  await insertDeal(db, { merchant_id });
  await endWeek();
  await mailFollows({ db });
  expect(await mails()).toEqual([]);
});

test('resumes an interrupted run, with one email per user', async () => {
  const { db } = database;
  const { id: merchant_id } = await insertMerchant(db);
  const users: string[] = [];
  for (let n = 0; n < 5; n += 1) users.push((await insertReader(merchant_id)).id);
  await insertDeal(db, { merchant_id });
  await endWeek();
  let runs = 0;
  const stopsAfterOne = {
    get aborted() {
      runs += 1;
      return runs > 1;
    },
  } as AbortSignal;
  await mailFollows({ db }, stopsAfterOne, 2);
  expect(await mails()).toHaveLength(2);
  await Promise.all([mailFollows({ db }, undefined, 2), mailFollows({ db }, undefined, 2)]);
  await mailFollows({ db });
  const recipients = (await mails()).map(({ user_id }) => user_id ?? '');
  expect(recipients.toSorted()).toEqual(users.toSorted());
});

test('covers the weeks of an outage in one email, and keeps the time of day', async () => {
  const { db } = database;
  const { id: merchant_id } = await insertMerchant(db);
  await insertReader(merchant_id);
  await insertDeal(db, { merchant_id });
  const time = () => db.selectFrom('users').select('follows_mailed_at').executeTakeFirstOrThrow();
  const before = await time();
  for (let week = 0; week < 3; week += 1) await endWeek();
  await mailFollows({ db });
  expect(await mails()).toHaveLength(1);
  expect(await time()).toEqual(before);
});

test.each([{ email_verified: false }, { suspended_at: new Date(), suspended_for: 'spam' }])(
  'cancels an email if the user may no longer get it: %o',
  async (change) => {
    const { db } = database;
    const { id: merchant_id } = await insertMerchant(db);
    const { id } = await insertReader(merchant_id);
    await insertDeal(db, { merchant_id });
    await endWeek();
    await mailFollows({ db });
    const [mail] = await mails();
    expect(await write(mail)).not.toBeNull();
    await db.updateTable('users').set(change).where('id', '=', id).execute();
    expect(await write(mail)).toBeNull();
  },
);

test('gives no reason for a deal without a brand, even if a brand is named “undefined”', async () => {
  const { db } = database;
  const { id: merchant_id } = await insertMerchant(db);
  const user = await insertReader(merchant_id);
  await insertDeal(db, { brand: 'Undefined' });
  await follow(db, user.id, [{ kind: 'brand', name: 'undefined' }]);
  const deal = await insertDeal(db);
  const shown = await listDealsByIds(db, [deal.id]);
  expect(shown).toHaveLength(1);
  expect(await describeReasons(db, await listFollows(db, user.id), shown)).toEqual(new Map());
});

test.each(['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z'])(
  'counts weeks of 168 hours from %s, even if the database’s time zone has summer time',
  async (since) => {
    const { db } = database;
    const { id: merchant_id } = await insertMerchant(db);
    const { id } = await insertReader(merchant_id);
    await sql`update users set follows_mailed_at = ${since}::timestamptz where id = ${id}`.execute(
      db,
    );
    await db.connection().execute(async (one) => {
      await sql`set timezone to 'Europe/Berlin'`.execute(one);
      await mailFollows({ db: one });
      await sql`reset timezone`.execute(one);
    });
    const { follows_mailed_at: until } = await db
      .selectFrom('users')
      .select('follows_mailed_at')
      .executeTakeFirstOrThrow();
    expect(((until?.getTime() ?? 0) - Date.parse(since)) % (168 * 3_600_000)).toBe(0);
  },
);
