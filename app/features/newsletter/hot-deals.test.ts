import { beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { useTestDatabase } from '#test/database.ts';
import { plantDeal } from '#test/factories/plant-prices.ts';
import { insertMerchant, insertProduct } from '#test/factories/insert.ts';
import { testServices } from '#test/services.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { defaultSettings } from '#app/features/site-settings/site-settings.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import { newsletterMails } from './newsletter-mails.server.ts';
import { listOfferedLists } from './newsletter-lists.server.ts';
import { gatherDigest, writeDigest } from './write-digest.server.ts';

const database = useTestDatabase();
const hotList = 3;
const evening = new Date('2026-11-26T16:22:00Z');
const nextEvening = new Date('2026-11-27T16:22:00Z');

const set = (name: 'hotDealsEnabled' | 'postalAddress', value: boolean | string) =>
  writeSiteSetting(database.db, name, value, 'test');

beforeEach(async () => {
  await set('hotDealsEnabled', true);
  await set('postalAddress', '1 Main St, Springfield');
});

async function subscribe(email: string, list_ids: number[] = [hotList]) {
  await database.db.insertInto('newsletter_subscriptions').values({ email, list_ids }).execute();
}

/** Inserts a deal that cost $100 for 80 days and was reduced an hour ago. */
async function plantLow(title: string, price = 7_000, more: Parameters<typeof plant>[2] = {}) {
  return plant(title, [[80, 10_000] as const, [1 / 24, price] as const], more);
}

function plant(
  title: string,
  prices: readonly (readonly [daysAgo: number, price: number])[],
  more: object = {},
) {
  return plantDeal(
    database.db,
    prices.map(([daysAgo, price]) => ({ daysAgo, price })),
    { title, ...more },
  );
}

const titles = async () => {
  const due = { kind: 'hot', settings: defaultSettings, now: new Date() } as const;
  return (await gatherDigest(database.db, due)).deals.map(({ title }) => title);
};

const write = (now = evening) => writeDigest(database.db, 'hot', now);

const queued = () =>
  database.db.selectFrom('mail_outbox').selectAll().orderBy('id').execute() as Promise<
    OutboxMail[]
  >;

async function render(mail: OutboxMail) {
  const site = await readMailSite(database.db, testServices(database).env);
  return newsletterMails['newsletter-digest'].write(database.db, mail, site, 'send');
}

describe('the email of hot deals', () => {
  test('lists deals that fell to a real low today, the furthest below their usual price first', async () => {
    await plantLow('Low', 8_000);
    await plantLow('Lower', 6_000);
    expect(await titles()).toEqual(['Lower', 'Low']);
  });

  test('lists each product once, with its best deal', async () => {
    const { id: product_id } = await insertProduct(database.db);
    await plantLow('Low', 8_000, { product_id });
    await plantLow('Lower', 6_000, { product_id });
    await plantLow('Of another product', 7_000);
    expect(await titles()).toEqual(['Lower', 'Of another product']);
  });

  test('omits old lows, prices near the usual one, and lows of fewer than 14 days', async () => {
    await plant('Fell three days ago', [
      [80, 10_000],
      [3, 7_000],
    ]);
    await plantLow('Hardly cheaper', 9_500);
    await plant('Watched for a week', [
      [7, 10_000],
      [1 / 24, 6_000],
    ]);
    await plant('Cheaper a month ago', [
      [80, 10_000],
      [30, 5_000],
      [20, 10_000],
      [1 / 24, 6_000],
    ]);
    expect(await titles()).toEqual([]);
  });

  test('omits deals that are out of stock or hidden, and stores without price history or with hidden prices', async () => {
    await plantLow('Gone', 6_000, { availability: 'out_of_stock' });
    await plantLow('Hidden', 6_000, { is_active: false });
    const forgetful = await insertMerchant(database.db, { keep_history: false });
    await plantLow('Of a store without history', 6_000, { merchant_id: forgetful.id });
    const strict = await insertMerchant(database.db, { hide_price_after_hours: 24 });
    await plantLow('Of a store that hides prices', 6_000, { merchant_id: strict.id });
    expect(await titles()).toEqual([]);
  });

  test('sends hot deals to their mailing list at most once a day, without repeating a deal within a week', async () => {
    await plantLow('Low');
    await subscribe('hot@mail.example');
    await subscribe('weekly@mail.example', [1, 2]);
    expect(await write()).toEqual({ written: true, mails: 1 });
    expect(await write()).toEqual({ written: false, reason: 'written' });
    expect((await queued()).map(({ recipient }) => recipient)).toEqual(['hot@mail.example']);
    expect(await write(nextEvening)).toEqual({ written: false, reason: 'no-deals' });
    await plantLow('Next low');
    expect(await write(nextEvening)).toEqual({ written: true, mails: 1 });
    await sql`update newsletter_issues set created_at = now() - interval '8 days'`.execute(
      database.db,
    );
    expect(await titles()).toEqual(['Next low', 'Low']);
  });

  test('sends hot deals only in the afternoon, with a postal address, and after the owner enabled the email', async () => {
    await plantLow('Low');
    const reasonAt = async (time: Date) => {
      const result = await write(time);
      return result.written ? null : result.reason;
    };
    expect(await reasonAt(new Date('2026-11-26T15:59:00Z'))).toBe('not-its-time');
    await set('postalAddress', '');
    expect(await reasonAt(evening)).toBe('no-postal-address');
    await set('hotDealsEnabled', false);
    expect(await reasonAt(evening)).toBe('off');
    expect(defaultSettings.hotDealsEnabled).toBe(false);
  });

  test('continues an issue whose run was interrupted, without a second email to anyone', async () => {
    await plantLow('Low');
    await subscribe('hot@mail.example');
    await writeDigest(database.db, 'hot', evening, AbortSignal.abort());
    expect(await queued()).toHaveLength(0);
    expect(await write()).toEqual({ written: true, mails: 1 });
    expect(await write()).toMatchObject({ written: false });
    expect(await queued()).toHaveLength(1);
  });

  test('includes the evidence and the reason for sending in the hot-deals email, and unsubscribes only from its list', async () => {
    await plantLow('Low');
    await subscribe('hot@mail.example', [1, hotList]);
    await write();
    const [mail] = await queued();
    const written = await render(mail!);
    expect(written?.subject).toBe('$70.00: Low');
    expect(written?.text).toMatch(/Price log: Lowest in \d+ days, usually \$100/);
    expect(written?.text).toContain('because you chose hot deals');
    expect(written?.html).toContain('1 deal at a real low, well below the usual price.');
    expect(written?.unsubscribePath).toContain(`&list=${hotList}`);
  });

  test('skips readers who left the list of hot deals, and sends nothing once the owner disabled the email', async () => {
    await plantLow('Low');
    await subscribe('hot@mail.example', [1, hotList]);
    await write();
    const [mail] = await queued();
    await set('hotDealsEnabled', false);
    expect(await render(mail!)).toBeNull();
    await set('hotDealsEnabled', true);
    expect(await render(mail!)).not.toBeNull();
    await database.db
      .updateTable('newsletter_subscriptions')
      .set({ list_ids: [1] })
      .execute();
    expect(await render(mail!)).toBeNull();
  });

  test('offers the mailing list of hot deals only while that email is enabled', async () => {
    const offered = async () => (await listOfferedLists(database.db)).map(({ name }) => name);
    expect(await offered()).toContain('Hot deals');
    await set('hotDealsEnabled', false);
    expect(await offered()).not.toContain('Hot deals');
  });
});
