import { beforeEach, expect, test, vi } from 'vitest';
import { mails } from '#app/mails.server.ts';
import type { OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertCoupon } from '#test/factories/a-coupon.ts';
import { insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { sampleSite } from '#test/sample-mails.ts';
import { testServices } from '#test/services.ts';
import { readWatchable } from './read-watchable.server.ts';
import { notifyOfSearches } from './notify-of-searches-job.server.ts';
import { saveWatchedSearch } from './watched-search-queries.server.ts';

const database = useTestDatabase();
let services: ReturnType<typeof testServices>;
const owner = { userId: '' };
let merchant_id = 0;

beforeEach(async () => {
  const { db } = database;
  services = testServices(database);
  owner.userId = (await insertUser(db, { email_verified: true })).id;
  merchant_id = (await insertMerchant(db, { name: 'Lamp House', slug: 'lamp-house' })).id;
});

async function watch(href: string) {
  const read = await readWatchable(database.db, href, 'USD');
  if (!read.ok) throw new Error(read.message);
  await saveWatchedSearch(database.db, owner, read.watchable, 'at_once');
}
const outbox = (): Promise<OutboxMail[]> =>
  database.db.selectFrom('mail_outbox').selectAll().orderBy('id').execute();
async function writeLast() {
  const mail = (await outbox()).at(-1);
  if (!mail) throw new Error('no mail was queued');
  return mails[mail.kind]?.write(database.db, mail, sampleSite, 'send') ?? null;
}
const soon = () => new Date(Date.now() + 3_600_000);

test.each(['/merchants/lamp-house', '/merchants/lamp-house?type=coupon'])(
  'emails a new coupon only once to a person who watches %s',
  async (address) => {
    await watch(address);
    await insertCoupon(database.db, { merchant_id, code: 'LAMP20', title: '20% off lamps' });
    await notifyOfSearches(services);
    await notifyOfSearches(services);
    expect(await outbox()).toHaveLength(1);
    const written = await writeLast();
    expect(written?.subject).toMatch(/^1 new coupon: /);
    expect(written?.text).toContain('LAMP20');
    expect(written?.html).toContain('/coupons?merchant=lamp-house');
  },
);

test('names new deals and coupons in one email', async () => {
  await watch('/merchants/lamp-house');
  await notifyOfSearches(services);
  await insertDeal(database.db, { merchant_id, title: 'Brass lamp' });
  await insertCoupon(database.db, { merchant_id });
  await vi.waitFor(
    async () => {
      await notifyOfSearches(services);
      const { waiting } = await database.db
        .selectFrom('watched_search_finds')
        .select(({ fn }) => fn.countAll<number>().as('waiting'))
        .executeTakeFirstOrThrow();
      expect(waiting).toBe(1);
    },
    { timeout: 30_000 },
  );
  expect(await outbox()).toHaveLength(1);
  const subject = (await writeLast())?.subject;
  expect(subject).toContain('new coupon');
  expect(subject).toContain('new deal');
});

test('sends nothing for other stores, filtered lists, and coupons that are not live', async () => {
  await watch('/merchants/lamp-house?max=50');
  await watch('/deals');
  await insertCoupon(database.db, { merchant_id });
  await notifyOfSearches(services);
  await watch('/merchants/lamp-house');
  await insertCoupon(database.db, { code: 'OTHER' });
  await insertCoupon(database.db, { merchant_id, code: 'ENDED', ends_at: new Date(0) });
  await insertCoupon(database.db, { merchant_id, code: 'SOON', starts_at: soon() });
  await notifyOfSearches(services);
  expect(await outbox()).toEqual([]);
});

test('sends nothing when the coupon has ended by the time of sending', async () => {
  await watch('/merchants/lamp-house');
  const { id } = await insertCoupon(database.db, { merchant_id });
  await notifyOfSearches(services);
  await database.db
    .updateTable('coupons')
    .set({ ends_at: new Date(0) })
    .where('id', '=', id)
    .execute();
  expect(await writeLast()).toBeNull();
});
