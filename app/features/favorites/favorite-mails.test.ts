import { expect, test } from 'vitest';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { favoriteMails } from './favorite-mails.server.ts';
import { remindOfFavorites } from './remind-of-favorites-job.server.ts';
import { setReminder } from './favorite-queries.server.ts';
import { setFavorite } from './set-favorite.server.ts';

const database = useTestDatabase();
const site = {
  name: 'Deal Hub',
  origin: 'https://deals.test',
  postalAddress: '',
  currency: 'USD',
  timeZone: 'UTC',
} as MailSite;
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

async function remind(titles: string[]) {
  const { db } = database;
  const user = await insertUser(db, { remind_before_expiry: true });
  const deals = [];
  for (const title of titles) {
    const deal = await insertDeal(db, { title, expires_at: inHours(6) });
    await setFavorite(db, user.id, deal.id, true);
    deals.push(deal);
  }
  await remindOfFavorites(db);
  const mails = await db.selectFrom('mail_outbox').selectAll().execute();
  const [mail] = mails;
  if (!mail) throw new Error('nothing was queued');
  return {
    user,
    deals,
    mails,
    write: () => favoriteMails['favorites-expiring'].write(db, mail, site, 'send'),
  };
}

test('sends one reminder for all favorites that end within the day, with a link to turn it off', async () => {
  const { mails, write } = await remind(['Red kettle', 'Blue kettle']);
  expect(mails).toHaveLength(1);
  const written = await write();
  expect(written?.subject).toBe('2 of your favorites end soon');
  expect(written?.text).toContain('Red kettle');
  expect(written?.text).toMatch(/Ends \w+ \d+, \d{4} at .* UTC/);
  expect(written?.unsubscribePath).toMatch(/^\/stop-mails\/one-click\?token=v1\.reminders\./);
});

test('omits favorites that were unsaved, extended or unpublished in the meantime', async () => {
  const { db } = database;
  const { user, deals, write } = await remind(['Unkept', 'Prolonged', 'Hidden', 'Left']);
  const [unkept, prolonged, hidden] = deals.map((deal) => deal.id);
  await setFavorite(db, user.id, unkept ?? 0, false);
  await db
    .updateTable('deals')
    .set({ expires_at: inHours(60) })
    .where('id', '=', prolonged ?? 0)
    .execute();
  await db
    .updateTable('deals')
    .set({ is_active: false })
    .where('id', '=', hidden ?? 0)
    .execute();
  expect((await write())?.subject).toBe('Ends soon: Left');
});

test('R09: sends no reminder to a user who turned reminders off in the meantime', async () => {
  const { user, write } = await remind(['Red kettle']);
  await setReminder(database.db, user.id, false);
  expect(await write()).toBeNull();
});

test('sends no reminder for deals that end later or have ended, or to an unverified email address', async () => {
  const { db } = database;
  const [user, unverified] = [
    await insertUser(db, { remind_before_expiry: true }),
    await insertUser(db, { remind_before_expiry: true, email_verified: false }),
  ];
  const soon = await insertDeal(db, { expires_at: inHours(6) });
  const later = await insertDeal(db, { expires_at: inHours(30) });
  const over = await insertDeal(db, { expires_at: inHours(-1) });
  await setFavorite(db, user.id, later.id, true);
  await setFavorite(db, user.id, over.id, true);
  await setFavorite(db, unverified.id, soon.id, true);
  await remindOfFavorites(db);
  expect(await db.selectFrom('mail_outbox').select('id').execute()).toEqual([]);
});

test('resumes an interrupted reminder run in the next one, with one email per user', async () => {
  const { db } = database;
  const deals = [];
  for (const hours of [2, 4, 6]) deals.push(await insertDeal(db, { expires_at: inHours(hours) }));
  const users = [];
  for (let index = 0; index < 3; index += 1) {
    const user = await insertUser(db, { remind_before_expiry: true });
    for (const deal of deals) await setFavorite(db, user.id, deal.id, true);
    users.push(user.id);
  }
  const recipients = async () =>
    (
      await db.selectFrom('mail_outbox').select(['user_id', 'payload']).orderBy('user_id').execute()
    ).map(({ user_id, payload }) => ({ user_id, payload }));
  const stopping = new AbortController();
  const stopsAfterOne = {
    get aborted() {
      const { aborted } = stopping.signal;
      stopping.abort();
      return aborted;
    },
  } as AbortSignal;
  await remindOfFavorites(db, stopsAfterOne, 1);
  expect(await recipients()).toHaveLength(1);
  await remindOfFavorites(db, undefined, 1);
  await remindOfFavorites(db);
  const payload = { dealIds: expect.arrayContaining(deals.map(({ id }) => id)) };
  expect(await recipients()).toEqual(users.toSorted().map((user_id) => ({ user_id, payload })));
});
