import { describe, expect, test, vi } from 'vitest';
import { toDecimal } from '#app/platform/money.ts';
import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { sampleReports } from '#test/fixtures/network-reports.ts';
import { networkIds } from './affiliate-networks.ts';
import type { ClickSource } from './click-source.ts';
import { earningsOf, listEarnings, sumEarnings } from './earning-figures.server.ts';
import { formatEarned, formatPerClick } from './format-earned.ts';
import { importSales, undoSalesImport } from './import-sales.server.ts';
import { matchSales } from './match-sales.server.ts';
import { lockNetwork } from './plan-sales.server.ts';
import { noChoices, readReport, type Sale } from './read-report.server.ts';
import { encodeSubId } from './sub-id.server.ts';
import { postbackToken, takePostback } from './take-postback.server.ts';

const database = useTestDatabase();
const now = new Date('2026-11-28T12:00:00Z');
const period = { days: 30, now, limit: 10 };

const subIdOf = (id: number, newsletterId: number | null = null) =>
  encodeSubId(database.db, {
    target: { kind: 'deal', id },
    source:
      newsletterId === null
        ? { channel: 'site', newsletterId }
        : { channel: 'newsletter', newsletterId },
    day: '2026-11-20',
  });

const aSale = (more: Partial<Sale> = {}): Sale => ({
  transactionId: 'T1',
  status: 'pending',
  amount: 500,
  currency: 'USD',
  day: '2026-11-21',
  subId: '',
  ...more,
});
const upload = (...sales: Sale[]) =>
  importSales(database.db, { network: 'awin', fileName: 'a.csv', actor: 'cli' }, sales);
const stored = () =>
  database.db
    .selectFrom('earnings')
    .select(['transaction_id', 'status', 'amount', 'currency', 'import_id'])
    .orderBy('transaction_id')
    .execute();
const statuses = async () => (await stored()).map(({ status }) => status);

describe('readReport', () => {
  test.each(networkIds)('reads a report of %s and matches its sub-ids', async (network) => {
    const deal = await insertDeal(database.db);
    const { csv, sales } = sampleReports[network];
    const bytes = Buffer.from(csv(await subIdOf(deal.id)));
    const report = readReport(bytes, network, noChoices, '2026-11-29');
    expect(report?.missing).toEqual([]);
    const read = report?.lines.flatMap(({ sale }) => sale ?? []) ?? [];
    expect(report?.lines.flatMap(({ problem }) => problem ?? [])).toEqual([]);
    expect(read.map((sale) => [sale.amount, sale.currency, sale.status, sale.day])).toEqual(sales);
    const matched = await matchSales(database.db, read);
    expect(matched.map(({ match }) => [match.deal_id, match.merchant_id, match.channel])).toEqual([
      [deal.id, deal.merchant_id, 'site'],
      [deal.id, deal.merchant_id, 'site'],
      [null, null, null],
    ]);
  });

  test('reads a spreadsheet’s UTF-16 and the columns that the owner chose', () => {
    const text = '\uFEFFNummer;Provision;Tag;Ref\n1;3,10;21.11.2026;x\n';
    const columns = { id: 'Nummer', amount: 'Provision', date: 'Tag', subId: 'Ref' };
    const choices = { ...noChoices, columns, currency: 'EUR' };
    const report = readReport(Buffer.from(text, 'utf16le'), 'awin', choices, '2026-11-29');
    expect(report?.lines).toMatchObject([{ sale: { transactionId: '1', amount: 310 } }]);
    const guessed = readReport(Buffer.from(text, 'utf16le'), 'awin', noChoices, '2026-11-29');
    expect(guessed?.missing).toEqual(['id', 'amount', 'date']);
  });

  test('rejects rows that cannot be read, each with its reason', () => {
    const rows = [
      'id,commission,currency,date,commission_status',
      ',1.50,USD,2026-11-21,1',
      '1,1.50,USD,2026-11-21,1',
      '1,9.99,USD,2026-11-21,1',
      '2,much,USD,2026-11-21,1',
      '3,1.50,XXQ,2026-11-21,1',
      '4,1.50,USD,2026-12-24,1',
      '5,1.50,USD,soon,1',
      '6,1.50,USD,2026-11-21,perhaps',
      '2.29207E+09,1.50,USD,2026-11-21,1',
      '7,1.50,,2026-11-21,1',
      '8,€1.50,USD,2026-11-21,1',
    ];
    const report = readReport(Buffer.from(rows.join('\n')), 'awin', noChoices, '2026-11-29');
    expect(report?.lines.map(({ problem }) => problem ?? 'fine')).toEqual([
      'The row has no transaction id.',
      'fine',
      'Line 3 has the same transaction id.',
      'The commission is not a number.',
      'XXQ is not a currency.',
      'The date 2026-12-24 is in the future or too old.',
      'The date cannot be read.',
      'The status “perhaps” is unknown.',
      expect.stringContaining('shortened'),
      'The currency is unknown. Choose it below.',
      'The commission is in EUR, the row in USD.',
    ]);
    expect(readReport(Buffer.from('nothing'), 'awin', noChoices, '2026-11-29')).toBeNull();
  });
});

describe('importSales', () => {
  test('changes nothing when a report is uploaded again or overlaps', async () => {
    expect(await upload(aSale(), aSale({ transactionId: 'T2' }))).toMatchObject({ added: 2 });
    expect(await upload(aSale(), aSale({ transactionId: 'T2' }))).toBeNull();
    expect(
      await upload(aSale({ transactionId: 'T2' }), aSale({ transactionId: 'T3' })),
    ).toMatchObject({ added: 1, changed: 0 });
    expect(await stored()).toHaveLength(3);
    const [{ count } = { count: 0 }] = await ask(database.db).rows<{ count: number }>`
      select count(*)::integer as count from earning_imports`;
    expect(count).toBe(2);
  });

  test('updates a sale from pending to approved and declined, but never back to pending', async () => {
    await upload(aSale());
    await upload(aSale({ status: 'approved', amount: 450 }));
    expect(await stored()).toMatchObject([{ status: 'approved', amount: 450 }]);
    expect(await upload(aSale())).toBeNull();
    expect(await statuses()).toEqual(['approved']);
    await upload(aSale({ status: 'declined', amount: 450 }));
    expect(await sumEarnings(database.db, 30, now)).toMatchObject([
      { currency: 'USD', amount: 0, sales: 0, declined: 1 },
    ]);
  });

  test('keeps the store of a sale when its deal moved or was deleted', async () => {
    const deal = await insertDeal(database.db);
    const subId = await subIdOf(deal.id);
    await upload(aSale({ subId }));
    await database.db.deleteFrom('deals').where('id', '=', deal.id).execute();
    expect(await upload(aSale({ subId }))).toBeNull();
    await upload(aSale({ status: 'approved' }));
    const [store] = await listEarnings(database.db, 'merchant', period);
    expect(store).toMatchObject({ id: deal.merchant_id, sales: 1 });
    expect(await listEarnings(database.db, 'deal', period)).toMatchObject([
      { id: deal.id, name: null },
    ]);
  });

  test('adds the sales of a report once if it is imported twice at the same time', async () => {
    const results = await Promise.all([upload(aSale()), upload(aSale())]);
    expect(results.filter((one) => one === null)).toHaveLength(1);
    expect(await stored()).toHaveLength(1);
  });
});

describe('undoSalesImport', () => {
  const undo = (id: number | undefined) => undoSalesImport(database.db, id ?? 0, 'cli');

  test('removes added sales, restores changed ones, and lets the report be uploaded again', async () => {
    await upload(aSale());
    const second = await upload(aSale({ status: 'approved' }), aSale({ transactionId: 'T2' }));
    expect(await undo(second?.id)).toEqual({ ok: true, sales: 2 });
    expect(await stored()).toMatchObject([{ transaction_id: 'T1', status: 'pending' }]);
    expect(await undo(second?.id)).toEqual({ ok: false, reason: 'This import is already undone.' });
    expect(
      await upload(aSale({ status: 'approved' }), aSale({ transactionId: 'T2' })),
    ).toMatchObject({ added: 1, changed: 1 });
    expect(await undo(999)).toMatchObject({ ok: false });
  });

  test('restores the original values when imports are undone in any order', async () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2],
      [1, 2, 0],
    ]) {
      const imports = [
        await upload(aSale()),
        await upload(aSale({ status: 'approved' })),
        await upload(aSale({ status: 'declined' })),
      ];
      for (const at of order) {
        await undo(imports[at]?.id);
        const left = order.slice(order.indexOf(at) + 1);
        const last = ['pending', 'approved', 'declined'][Math.max(...left)];
        expect([order, at, await statuses()]).toEqual([order, at, last ? [last] : []]);
      }
    }
  });
});

test('stores the newsletter’s link and the ad of a sale, and restores them', async () => {
  const subIdFrom = (source: ClickSource) =>
    encodeSubId(database.db, { target: { kind: 'link' }, source, day: '2026-11-20' });
  const links = () =>
    database.db
      .selectFrom('earnings')
      .select(['newsletter_id', 'newsletter_link', 'slot_id'])
      .execute();
  const newsletter = { channel: 'newsletter', newsletterId: 7, link: 3 } as const;
  await upload(aSale({ subId: await subIdFrom(newsletter) }));
  const first = [{ newsletter_id: 7, newsletter_link: 3, slot_id: null }];
  expect(await links()).toEqual(first);
  const ad = { channel: 'site', newsletterId: null, slotId: 9 } as const;
  const second = await upload(aSale({ subId: await subIdFrom(ad) }));
  expect(await links()).toEqual([{ newsletter_id: null, newsletter_link: null, slot_id: 9 }]);
  await undoSalesImport(database.db, second?.id ?? 0, 'cli');
  expect(await links()).toEqual(first);
});

describe('undoSalesImport during other writes', () => {
  const undo = (id: number | undefined) => undoSalesImport(database.db, id ?? 0, 'cli');

  test('keeps the changes that a postback made between two imports', async () => {
    const first = await upload(aSale());
    const { db } = database;
    const params = new URLSearchParams({
      token: await postbackToken(db, 'awin'),
      id: 'T1',
      amount: '7.00',
      currency: 'USD',
    });
    expect(await takePostback(db, 'awin', params, now)).toBe('stored');
    const second = await upload(aSale({ status: 'approved' }));
    await undo(first?.id);
    expect(await statuses()).toEqual(['approved']);
    await undo(second?.id);
    expect(await stored()).toMatchObject([{ status: 'pending', amount: 700, import_id: null }]);
  });

  test('waits for another undo of the same network without holding a lock that the other may need', async () => {
    const first = await upload(aSale());
    await upload(aSale({ status: 'approved' }));
    let waiting: Promise<unknown> = Promise.resolve();
    await database.db.transaction().execute(async (tx) => {
      await lockNetwork(tx, 'awin');
      waiting = undo(first?.id);
      await vi.waitFor(
        async () => {
          const found = await ask(database.db).value<number>`
            select count(*)::integer from pg_locks
             where locktype = 'advisory' and not granted
               and database = (select oid from pg_database where datname = current_database())`;
          expect(found).toBe(1);
        },
        { timeout: 30_000 },
      );
      await ask(tx).rows`select from earning_imports for key share nowait`;
    });
    expect(await waiting).toMatchObject({ ok: true });
  });
});

describe('figures', () => {
  test('sums currencies separately, and adds clicks and earnings per click', async () => {
    const deal = await insertDeal(database.db, { title: 'Lamp' });
    const subId = await subIdOf(deal.id);
    await upload(
      aSale({ transactionId: '1', subId, amount: 500 }),
      aSale({ transactionId: '2', subId, amount: 250, status: 'approved' }),
      aSale({ transactionId: '3', subId, amount: 300, currency: 'EUR' }),
      aSale({ transactionId: '4', subId, amount: 9_999, status: 'declined' }),
      aSale({ transactionId: '5', subId, amount: 9_999, day: '2026-01-01' }),
      aSale({ transactionId: '6', amount: 100 }),
    );
    await database.db
      .insertInto('clicks')
      .values({ deal_id: deal.id, day: '2026-11-20', count: 50 })
      .execute();
    const [row] = await listEarnings(database.db, 'deal', period);
    expect(row).toEqual({
      id: deal.id,
      name: 'Lamp',
      sales: 3,
      clicks: 50,
      earned: [
        { currency: 'USD', amount: 750, pending: 500 },
        { currency: 'EUR', amount: 300, pending: 300 },
      ],
    });
    const { earned, clicks } = row ?? { earned: [], clicks: 0 };
    expect(formatEarned(earned)).toBe('$7.50 + €3.00');
    expect(formatPerClick(earned, clicks)).toBe('$0.150 + €0.060');
    expect(formatPerClick(earned, 0)).toBe('–');
    expect(await earningsOf(database.db, 'merchant', [deal.merchant_id], period)).toEqual(
      new Map([[deal.merchant_id, earned]]),
    );
    expect(await sumEarnings(database.db, 30, now)).toMatchObject([
      { currency: 'USD', amount: 850, pending: 600, sales: 3, declined: 1, unmatched: 1 },
      { currency: 'EUR', amount: 300, sales: 1 },
    ]);
  });

  test('shows all sales of a newsletter since it was sent', async () => {
    const deal = await insertDeal(database.db);
    const { id } = await database.db
      .insertInto('newsletters')
      .values({ subject: 'Lamps', content: '' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const subId = await subIdOf(deal.id, id);
    await upload(
      aSale({ transactionId: '1', subId }),
      aSale({ transactionId: '2', subId, day: '2026-05-01' }),
    );
    expect(await listEarnings(database.db, 'newsletter', period)).toMatchObject([
      { id, name: 'Lamps', sales: 2, earned: [{ amount: 1000 }] },
    ]);
  });

  test('reads a period among 100,000 sales with an index', async () => {
    for (let first = 0; first < 100_000; first += 20_000)
      await sql`
        insert into earnings (network, transaction_id, status, amount, currency, day, merchant_id,
                              coupon_id, slot_id)
        select 'awin', n::text, 'approved', 100, 'USD', date '2026-11-28' - (n % 1000), n % 50,
               n % 50, n % 50
          from generate_series(${first}::integer, ${first}::integer + 19999) n`.execute(
        database.db,
      );
    await sql`analyze earnings`.execute(database.db);
    const plan = await ask(database.db).column<string>`
      explain select currency, sum(amount) from earnings
       where day >= date '2026-10-30' and status <> 'declined' group by 1`;
    expect(plan.join('\n')).toContain('earnings_day');
    for (const kind of ['merchant', 'coupon', 'slot']) {
      const ofKind = await ask(database.db).column<string>`
        explain select currency, sum(amount) from earnings
         where ${sql.ref(`${kind}_id`)} = any(array[1, 2]::bigint[]) and day >= date '2026-10-30' group by 1`;
      expect(ofKind.join('\n')).toContain(`earnings_${kind}`);
    }
    const [total] = await sumEarnings(database.db, 30, now);
    expect(toDecimal(total?.amount ?? 0, 'USD')).toBe('3000.00');
  });
});
