import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { changeDeals, undoDeletion } from '#app/features/deals/change-deals.server.ts';
import { noteLinkAnswer } from '#app/features/deals/link-check-queries.server.ts';
import { solveCaptcha } from '#test/solve-captcha.ts';
import { insertDeal, insertProduct, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import { checkLinkNow, dismissReports } from './decide-reports.server.ts';
import { describeCode, describeExpired } from './describe-reports.ts';
import { reportDeal } from './report-deal.server.ts';
import { readReports } from './report-queries.server.ts';

const database = useTestDatabase();
const coupon_code = 'SAVE10';
let deal: Awaited<ReturnType<typeof insertDeal>>;
beforeEach(async () => {
  deal = await insertDeal(database.db, { coupon_code, expires_at: null });
});

type Who = Parameters<typeof reportDeal>[3];
const stranger = (address: string): Who => ({ user: null, address });
const member = async (address: string, emailVerified = true): Promise<Who> => {
  const { id } = await insertUser(database.db, { email_verified: emailVerified });
  return { user: { id, emailVerified }, address };
};

/** Sends a report as a person would, passing the captcha if required. */
async function say(who: Who, fields: Record<string, string> = { about: 'over' }, now = new Date()) {
  const services = {
    ...testServices(database, { RATE_LIMITS: 'report-address=0' }),
    now: () => now,
  };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (!who.user?.emailVerified) form.set('captcha_token', await solveCaptcha(services));
  return reportDeal(services, deal, form, who);
}
const sayCode = (who: Who, works: 'yes' | 'no', code = coupon_code) =>
  say(who, { about: 'code', code, works });
const rows = () =>
  database.db.selectFrom('deal_reports').selectAll().where('deal_id', '=', deal.id).execute();
const shown = () => readReports(database.db, deal.id);
const threePeople = async () => {
  for (const n of [1, 2, 3]) expect(await say(stranger(`192.0.2.${n}`))).toEqual({ ok: true });
};

describe('a report that a deal has expired', () => {
  test('shows a deal as reported expired once three different people agree', async () => {
    await say(stranger('192.0.2.1'));
    await say(stranger('192.0.2.2'));
    expect((await shown()).over).toBeNull();
    await say(await member('192.0.2.3'));
    expect((await shown()).over?.count).toBe(3);
  });

  test('counts one report per address, /48 network and account', async () => {
    await say(stranger('2001:db8:1:2::1'));
    await say(stranger('2001:db8:1:3::2'));
    expect(await rows()).toHaveLength(1);
    const ada = await member('192.0.2.9');
    await say(ada);
    await say({ ...ada, address: '198.51.100.7' });
    expect(await rows()).toHaveLength(2);
  });

  test('does not count a report twice when a person signs in or out in between', async () => {
    await say(stranger('192.0.2.1'));
    await say(await member('192.0.2.1'));
    await say(stranger('192.0.2.1'));
    expect(await rows()).toMatchObject([{ user_id: expect.any(String) }]);
  });

  test('treats an account with an unverified email as a stranger', async () => {
    await say(await member('192.0.2.1', false));
    await say(await member('192.0.2.1', false));
    expect(await rows()).toMatchObject([{ user_id: null }]);
  });

  test('counts a report once if it is sent in parallel requests', async () => {
    await Promise.all([1, 2, 3, 4].map(() => say(stranger('192.0.2.1'))));
    expect(await rows()).toHaveLength(1);
  });

  test('rejects a report that is empty, without the captcha, or for an expired deal', async () => {
    const services = testServices(database);
    const form = new FormData();
    form.set('about', 'over');
    const who = stranger('192.0.2.1');
    expect(await reportDeal(services, deal, form, who)).toMatchObject({ reason: 'captcha' });
    const ended = await reportDeal(services, { ...deal, is_expired: true }, form, who);
    expect(ended).toMatchObject({ message: 'This deal has already expired.' });
    form.set('about', 'constructor');
    expect(await reportDeal(services, deal, form, who)).toMatchObject({ reason: 'refused' });
    expect(await rows()).toEqual([]);
  });

  test('limits reports per address and per deal', async () => {
    const services = testServices(database, {
      RATE_LIMITS: 'report-address=2/60,report-deal=3/60',
    });
    const form = new FormData();
    form.set('about', 'over');
    const ada = await member('192.0.2.1');
    const tell = (who: Who) => reportDeal(services, deal, form, who);
    await tell(ada);
    await tell(ada);
    expect(await tell(ada)).toMatchObject({ reason: 'too-often' });
    expect(await tell(await member('192.0.2.2'))).toEqual({ ok: true });
    expect(await tell(await member('192.0.2.3'))).toMatchObject({ reason: 'too-often' });
  });
});

describe('strangers', () => {
  test('distinguishes strangers without storing their address, with different tokens for each deal', async () => {
    await say(stranger('192.0.2.1'));
    const [first] = await rows();
    deal = await insertDeal(database.db);
    await say(stranger('192.0.2.1'));
    const [second] = await rows();
    expect(JSON.stringify([first, second])).not.toContain('192.0.2');
    expect(second?.visitor).not.toBe(first?.visitor);
  });

  test('recognizes a stranger under the next salt, but not under the one after', async () => {
    const day = 24 * 3600 * 1000;
    const begin = Math.floor(Date.now() / (14 * day)) * 14 * day;
    const at = (days: number) => new Date(begin + days * day);
    await say(stranger('192.0.2.1'), { about: 'over' }, at(13));
    await say(stranger('192.0.2.1'), { about: 'over' }, at(15));
    expect(await rows()).toHaveLength(1);
    await sql`update site_secrets set created_at = now() - interval '29 days' where name like 'visitor salt %'`.execute(
      database.db,
    );
    await sql`update deal_reports set reported_at = now() - interval '15 days'`.execute(
      database.db,
    );
    await forgetOldRows(database.db, 'forget-spent-attempts');
    expect(await rows()).toEqual([]);
    const salts = database.db
      .selectFrom('site_secrets')
      .select('name')
      .where('name', 'like', 'visitor salt%');
    expect(await salts.execute()).toEqual([]);
  });
});

describe('reports on a code', () => {
  test('shows reports on a code with their number and the latest time', async () => {
    await sayCode(stranger('192.0.2.1'), 'yes');
    await sayCode(stranger('192.0.2.2'), 'yes');
    await sayCode(await member('192.0.2.3'), 'no');
    expect(await shown()).toMatchObject({ over: null, works: { count: 2 }, fails: { count: 1 } });
  });

  test('counts only a person’s latest report on a code', async () => {
    await sayCode(stranger('192.0.2.1'), 'yes');
    await sayCode(stranger('192.0.2.1'), 'no');
    expect(await shown()).toMatchObject({ works: null, fails: { count: 1 } });
  });

  test('assigns a report to the code that was shown, and removes it with the code', async () => {
    expect(await sayCode(stranger('192.0.2.1'), 'yes', 'OLD')).toMatchObject({ reason: 'refused' });
    expect(await say(stranger('192.0.2.1'), { about: 'code', code: coupon_code })).toMatchObject({
      message: 'Choose whether the code worked.',
    });
    await sayCode(stranger('192.0.2.1'), 'yes');
    await say(stranger('192.0.2.1'));
    await database.db
      .updateTable('deals')
      .set({ coupon_code: 'NEW' })
      .where('id', '=', deal.id)
      .execute();
    expect((await rows()).map(({ about }) => about)).toEqual(['over']);
  });

  test('describes reports on a code, unless there are none', () => {
    const now = new Date('2026-11-24T12:00:00Z');
    const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
    const works = { count: 4, lastAt: ago(125) };
    const fails = { count: 1, lastAt: ago(5) };
    expect(describeCode({ works, fails }, now)).toBe(
      'Code worked for 4, last 2 hours ago; not for 1, last 5 min ago',
    );
    expect(describeCode({ works, fails: null }, now)).toBe('Code worked for 4, last 2 hours ago');
    expect(describeCode({ works: null, fails }, now)).toBe(
      'Code did not work for 1, last 5 min ago',
    );
    expect(describeCode({ works: null, fails: null }, now)).toBe('');
    expect(describeExpired({ count: 3, lastAt: ago(1) }, ago(12), now)).toBe(
      'Reported expired by 3, last checked 12 min ago',
    );
  });
});

describe('a report of another product', () => {
  const sayOther = (who: Who) => say(who, { about: 'product' });
  const update = (change: object) =>
    database.db.updateTable('deals').set(change).where('id', '=', deal.id).execute();
  const join = async () => update({ product_id: (await insertProduct(database.db)).id });

  test('rejects a report of another product if the deal has no product', async () => {
    expect(await sayOther(stranger('192.0.2.1'))).toMatchObject({
      message: 'This deal is no longer compared with other offers.',
    });
    expect(await rows()).toEqual([]);
  });

  test('counts one report of another product per person, in addition to one of expiry, and does not show it', async () => {
    await join();
    await sayOther(stranger('192.0.2.1'));
    await sayOther(stranger('192.0.2.1'));
    await say(stranger('192.0.2.1'));
    expect((await rows()).map(({ about }) => about)).toEqual(['product', 'over']);
    expect(await shown()).toEqual({ over: null, works: null, fails: null });
  });

  test('keeps a report of another product when the price is confirmed, until the deal leaves its product', async () => {
    await join();
    await sayOther(stranger('192.0.2.1'));
    await update({ price_checked_at: sql<Date>`clock_timestamp() + interval '1 second'` });
    await update({ expires_at: new Date('2099-01-01') });
    expect(await rows()).toHaveLength(1);
    await update({ product_id: null });
    expect(await rows()).toEqual([]);
  });

  test('lets staff clear reports of another product but keep those of expiry', async () => {
    await join();
    await sayOther(stranger('192.0.2.1'));
    await say(stranger('192.0.2.2'));
    const dismissed = { actor: 'u1', id: deal.id, about: 'product' } as const;
    expect(await dismissReports(database.db, dismissed)).toBe(true);
    expect(await dismissReports(database.db, dismissed)).toBe(false);
    expect((await rows()).map(({ about }) => about)).toEqual(['over']);
  });
});

describe('reports are cleared', () => {
  const update = (change: object) =>
    database.db.updateTable('deals').set(change).where('id', '=', deal.id).execute();
  const later = sql<Date>`clock_timestamp() + interval '1 second'`;

  test.each<[string, boolean, () => Promise<unknown>]>([
    ['the deal ends', true, () => update({ expires_at: new Date('2026-01-01') })],
    ['its end is moved', true, () => update({ expires_at: new Date('2099-01-01') })],
    ['its address changes', true, () => update({ deal_url: 'https://other.example/' })],
    ['a feed brings a price', true, () => update({ price_checked_at: later })],
    [
      'a feed reports it out of stock',
      false,
      () => update({ price_checked_at: later, availability: 'out_of_stock' }),
    ],
    ['only its texts change', false, () => update({ title: 'Another title' })],
    ['its price was checked before', false, () => update({ price_checked_at: new Date(0) })],
    [
      'a feed confirms the price',
      true,
      () =>
        database.db
          .insertInto('deal_price_checks')
          .values({ deal_id: deal.id, checked_at: later })
          .execute(),
    ],
    ['a link check succeeds', true, () => noteLinkAnswer(database.db, deal, 'there', new Date())],
    [
      'a link check finds nothing',
      false,
      () => noteLinkAnswer(database.db, deal, 'gone', new Date()),
    ],
    [
      'a link check learns nothing',
      false,
      () => noteLinkAnswer(database.db, deal, 'unclear', new Date()),
    ],
    [
      'the link that was checked is another by now',
      false,
      () =>
        noteLinkAnswer(
          database.db,
          { id: deal.id, deal_url: 'https://old.example' },
          'there',
          new Date(),
        ),
    ],
  ])('clears reports on a deal when %s: %s', async (_why, isCleared, happen) => {
    await threePeople();
    await happen();
    expect(await rows()).toHaveLength(isCleared ? 0 : 3);
  });

  test('keeps reports on a code when the price is confirmed', async () => {
    await sayCode(stranger('192.0.2.1'), 'yes');
    await update({ price_checked_at: later });
    await noteLinkAnswer(database.db, deal, 'there', new Date());
    expect(await rows()).toHaveLength(1);
  });

  test('lets staff clear reports, with an audit entry', async () => {
    await threePeople();
    const dismissed = { actor: 'u1', id: deal.id, about: 'over' } as const;
    expect(await dismissReports(database.db, dismissed)).toBe(true);
    expect(await dismissReports(database.db, dismissed)).toBe(false);
    const ask = async () => 200;
    const services = testServices(database);
    const real = { deal_url: 'https://www.wikipedia.org/' };
    await update(real);
    await threePeople();
    expect(await checkLinkNow(services, { actor: 'u1', id: deal.id }, ask)).toBe('there');
    expect(await rows()).toEqual([]);
    expect(await checkLinkNow(services, { actor: 'u1', id: 999_999 }, ask)).toBeNull();
    const log = await database.db
      .selectFrom('audit_log')
      .select(['action', 'entity_id'])
      .orderBy('id')
      .execute();
    expect(log).toEqual(
      ['deal.dismiss-reports', 'deal.check-link'].map((action) => ({
        action,
        entity_id: String(deal.id),
      })),
    );
  });
});

test('restores reports with their deal, and deletes them with their author’s account', async () => {
  const ada = await member('192.0.2.1');
  await say(ada);
  await say(stranger('192.0.2.2'));
  const deletion = await changeDeals(
    database.db,
    { actor: 'u1', verb: 'delete', categoryId: null },
    { ids: [deal.id] },
  );
  expect(await rows()).toEqual([]);
  if (!deletion.ok || deletion.state !== 'done') throw new Error('The deal was not deleted.');
  await undoDeletion(database.db, { actor: 'u1', batch: deletion.batch });
  expect(await rows()).toHaveLength(2);
  await database.db
    .deleteFrom('users')
    .where('id', '=', ada.user?.id ?? '')
    .execute();
  expect(await rows()).toMatchObject([{ user_id: null }]);
});

test('invalidates only the deal’s page when reports are added or cleared', async () => {
  const client = await database.pool.connect();
  const heard: (string | undefined)[] = [];
  try {
    client.on('notification', ({ payload }) => heard.push(payload));
    await client.query('listen pages');
    await say(stranger('192.0.2.1'));
    await dismissReports(database.db, { actor: 'u1', id: deal.id, about: 'over' });
    await client.query('select 1');
    expect(heard).toEqual([`old deal:${deal.id}`, `old deal:${deal.id}`]);
  } finally {
    await client.query('unlisten pages');
    client.release();
  }
});
