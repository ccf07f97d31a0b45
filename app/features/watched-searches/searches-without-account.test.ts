import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { sampleSite } from '#test/sample-mails.ts';
import { testServices } from '#test/services.ts';
import { solveCaptcha } from '#test/solve-captcha.ts';
import { exportAccount } from '#app/features/accounts/people/export-account.server.ts';
import { eraseWatcher } from '#app/features/price-alerts/watcher-queries.server.ts';
import { mails } from '#app/mails.server.ts';
import type { OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import { askToWatch } from './ask-to-watch.server.ts';
import { confirmRequest } from './confirm-request.server.ts';
import { readWatchable } from './read-watchable.server.ts';
import { stopByMail } from './stop-by-mail.server.ts';
import { matchOnce } from './match-searches.server.ts';
import { notifyOfSearches } from './notify-of-searches-job.server.ts';
import { mostRequestsPerAddress } from './watch-requests.server.ts';
import { mostSearchesPerOwner, saveWatchedSearch } from './watched-search-queries.server.ts';

const database = useTestDatabase();
let count = 0;
let email = '';
beforeEach(async () => {
  email = `guest${(count += 1)}@mail.example`;
  await sql`delete from watch_marks`.execute(database.db);
  await matchOnce(database.db); // ignores all earlier deals
});

async function ask(href: string, fields: Record<string, string> = {}) {
  const services = testServices(database);
  const form = new FormData();
  const sent = { email, captcha_token: await solveCaptcha(services), ...fields };
  for (const [name, value] of Object.entries(sent)) form.set(name, value);
  const address = `198.51.100.${(count += 1) % 250}`;
  return askToWatch(
    services,
    { form, address },
    { watchable: await watchable(href), cadence: 'at_once' },
  );
}
async function watchable(href: string) {
  const read = await readWatchable(database.db, href, 'USD');
  if (!read.ok) throw new Error(read.message);
  return read.watchable;
}
const searches = () =>
  database.db.selectFrom('watched_searches').selectAll().orderBy('id').execute();
const requests = () => database.db.selectFrom('watch_requests').selectAll().orderBy('id').execute();
const outbox = (kind: string): Promise<OutboxMail[]> =>
  database.db
    .selectFrom('mail_outbox')
    .selectAll()
    .where('kind', '=', kind)
    .orderBy('id')
    .execute();
const write = async (mail: OutboxMail | undefined) => {
  if (!mail) throw new Error('no such mail');
  return mails[mail.kind]?.write(database.db, mail, sampleSite, 'send') ?? null;
};
/** Confirms a request through the last emailed link, as the owner of the address would. */
const confirmLast = async () => confirmRequest(database.db, (await requests()).at(-1)?.id ?? 0);

async function watch(href = '/deals?search=lamp&max=60'): Promise<number> {
  expect(await ask(href)).toEqual({ ok: true });
  const outcome = await confirmLast();
  if (!outcome.ok || !('watcherId' in outcome.owner)) throw new Error('no watcher was created');
  return outcome.owner.watcherId;
}
async function tell() {
  await expect
    .poll(async () => {
      await notifyOfSearches(testServices(database));
      return (await searches()).some((search) => search.unseen > 0);
    })
    .toBe(true);
}
const newLamp = () => insertDeal(database.db, { title: 'Brass lamp', sale_price: 5_000 });

describe('before the confirmation', () => {
  test('watches nothing before the confirmation, and does not repeat the request in the email', async () => {
    expect(await ask('/deals?search=call+0900+123&brand=blocked&max=60')).toEqual({ ok: true });
    expect(await searches()).toEqual([]);
    const [mail, ...more] = await outbox('search-confirm');
    expect(more).toEqual([]);
    const written = await write(mail);
    expect(written?.subject).toBe('Please confirm your watched search');
    expect(written?.text).toMatch(/\/price-alerts\/confirm\?token=v1\.confirm\./);
    expect(JSON.stringify(written)).not.toMatch(/0900|blocked|\$60|max=60/);
  });

  test.each([
    ['no address', { email: 'nonsense' }],
    ['a header', { email: 'a@mail.example\nBcc: b@mail.example' }],
    ['a machine', { captcha_token: '' }],
  ])('rejects a guest’s request with %s', async (_name, fields) => {
    expect(await ask('/deals', fields)).toMatchObject({ ok: false, status: 422 });
    expect(await requests()).toEqual([]);
  });

  test('R26: sends one confirmation a day per address, and keeps at most ten requests', async () => {
    for (let n = 0; n < mostRequestsPerAddress + 2; n++) {
      expect(await ask(`/deals?max=${60 + n}`)).toEqual({ ok: true });
    }
    expect(await outbox('search-confirm')).toHaveLength(1);
    expect(await requests()).toHaveLength(mostRequestsPerAddress);
    await confirmLast();
    for (let n = 0; n < 5; n++) await ask(`/deals?min=${60 + n}`);
    expect(await outbox('search-confirm')).toHaveLength(1 + 3);
  });

  test('deletes an unconfirmed request with one button in the email, or after three days', async () => {
    await ask('/deals');
    await stopByMail(database.db, { what: 'request', id: String((await requests())[0]?.id) });
    expect(await requests()).toEqual([]);
    expect(await write((await outbox('search-confirm'))[0])).toBeNull();
    await ask('/deals');
    await sql`update watch_requests set created_at = now() - interval '73 hours'`.execute(
      database.db,
    );
    await forgetOldRows(database.db, 'forget-spent-attempts');
    expect(await confirmLast()).toMatchObject({ ok: false, status: 404 });
  });
});

describe('a confirmed address', () => {
  test('emails a guest links to the guest’s own page, and stops the search through one of them', async () => {
    const watcherId = await watch();
    expect(await searches()).toMatchObject([{ watcher_id: watcherId, cadence: 'at_once' }]);
    expect(await confirmLast()).toMatchObject({ ok: true }); // confirming again changes nothing
    expect(await searches()).toHaveLength(1);
    await newLamp();
    await tell();
    const [mail] = await outbox('search-news');
    expect(mail?.recipient).toBe(email);
    const written = await write(mail);
    expect(written?.subject).toBe('1 new deal: “lamp”, Up to $60');
    expect(written?.text).toMatch(/\/price-alerts\/by-mail\?token=v1\.manage\./);
    expect(written?.unsubscribePath).toMatch(/^\/stop-mails\/one-click\?token=v1\.search\./);
    await stopByMail(database.db, { what: 'search', id: String((await searches())[0]?.id) });
    expect(await searches()).toMatchObject([{ is_active: false }]);
    expect(await write(mail)).toBeNull();
  });

  test('limits a guest to twenty watched searches', async () => {
    const watcherId = await watch('/deals');
    for (let n = 1; n < mostSearchesPerOwner; n++) {
      await saveWatchedSearch(
        database.db,
        { watcherId },
        await watchable(`/deals?max=${n}`),
        'daily',
      );
    }
    await ask('/deals?max=99');
    expect(await confirmLast()).toMatchObject({ ok: false, status: 409 });
    await ask('/deals?max=1'); // already watched, so the search is changed
    expect(await confirmLast()).toMatchObject({ ok: true });
    expect(await searches()).toHaveLength(mostSearchesPerOwner);
  });

  test('assigns a guest’s search to the account if its address is verified by then', async () => {
    await ask('/deals');
    const user = await insertUser(database.db, { email, email_verified: true });
    expect(await confirmLast()).toMatchObject({ ok: true, owner: { userId: user.id } });
    expect(await searches()).toMatchObject([{ user_id: user.id, watcher_id: null }]);
  });

  test('moves a guest’s searches to the verified account, twenty at most, with waiting emails', async () => {
    const { db } = database;
    await watch();
    await watch('/deals?max=1');
    await newLamp();
    await tell();
    const user = await insertUser(db, { email, email_verified: false });
    for (let n = 1; n < mostSearchesPerOwner; n++) {
      await saveWatchedSearch(db, { userId: user.id }, await watchable(`/deals?max=${n}`), 'daily');
    }
    await db.updateTable('users').set({ email_verified: true }).where('id', '=', user.id).execute();
    const own = await searches();
    expect(own).toHaveLength(mostSearchesPerOwner);
    expect(own.every((search) => search.user_id === user.id)).toBe(true);
    expect(own[0]).toMatchObject({ address: '/deals?search=lamp&max=60', unseen: 1 });
    const [mail] = await db
      .selectFrom('mail_outbox')
      .select('user_id')
      .where('kind', '=', 'search-news')
      .execute();
    expect(mail?.user_id).toBe(user.id);
    expect(JSON.stringify(await exportAccount(db, user.id))).toContain(
      '"search_address":"/deals?search=lamp&max=60"',
    );
  });

  test('R58: erases a guest completely, and no one else’s data', async () => {
    await watch();
    const mine = { email };
    email = `other${count}@mail.example`;
    const other = await watch();
    await newLamp();
    await tell();
    const [first] = await searches();
    await ask('/deals?max=5', mine);
    await eraseWatcher(database.db, { id: first?.watcher_id ?? 0, ...mine });
    expect(await searches()).toMatchObject([{ watcher_id: other }]);
    expect((await requests()).map((request) => request.email)).toEqual([email]);
    const left = await database.db.selectFrom('mail_outbox').select('recipient').execute();
    expect(new Set(left.map(({ recipient }) => recipient))).toEqual(new Set([email]));
  });
});
