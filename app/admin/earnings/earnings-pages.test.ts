import { beforeEach, expect, test } from 'vitest';
import { encodeSubId } from '#app/features/earnings/sub-id.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { sampleReports } from '#test/fixtures/network-reports.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database, { now: () => new Date('2026-11-28T12:00:00Z') });
let admin: TestVisitor;
beforeEach(async () => void (admin = await signedInVisitor(database, site, 'admin')));

const automatic = JSON.stringify({
  columns: {},
  currency: null,
  decimalMark: null,
  dayOrder: null,
});
const upload = (network: string, csv: string, more: Record<string, string> = {}) =>
  admin.send('/admin/earnings/upload', {
    network,
    content: Buffer.from(csv).toString('base64'),
    file_name: 'report.csv',
    ...more,
  });
const importReport = (network: string, csv: string) =>
  upload(network, csv, { intent: 'import', seen: automatic });
const stored = () =>
  database.db
    .selectFrom('earnings')
    .select(['transaction_id', 'amount', 'currency', 'deal_id'])
    .orderBy('transaction_id')
    .execute();

async function awinReport() {
  const deal = await insertDeal(database.db, { title: 'Green lamp' });
  const source = { channel: 'site', newsletterId: null } as const;
  const target = { kind: 'deal', id: deal.id } as const;
  const subId = await encodeSubId(database.db, { target, source, day: '2026-11-20' });
  return { deal, csv: sampleReports.awin.csv(subId) };
}

test('previews a report with its matches, then imports it and shows its earnings', async () => {
  const { deal, csv } = await awinReport();
  const preview = await upload('awin', csv);
  expect(preview.status).toBe(200);
  for (const text of ['3 new sales', '2 with a deal', '1 without a sub-id', 'Green lamp'])
    expect(preview.html).toContain(text);
  expect(await stored()).toEqual([]);
  expect((await importReport('awin', csv)).status).toBe(302);
  expect(await stored()).toMatchObject([
    { transaction_id: '900', amount: 164, currency: 'GBP', deal_id: deal.id },
    { transaction_id: '901', amount: 124_950 },
    { transaction_id: '902', currency: 'EUR', deal_id: null },
  ]);
  const { html } = await admin.open('/admin/earnings');
  for (const text of ['£1,251.14', 'Green lamp', 'report.csv', '£1.64'])
    expect(html).toContain(text);
  expect((await upload('awin', csv)).html).toContain('Nothing to import');
  expect((await admin.open('/admin/audit')).html).toContain('from a report of');
});

test('asks for columns of a report that were not detected, and stores the choice for the network', async () => {
  const csv = 'Nummer;Provision;Tag\n1;1.249;21.11.2026\n';
  expect((await upload('awin', csv)).html).toContain('Choose the column of');
  const refused = await importReport('awin', csv);
  expect([refused.status, await stored()]).toEqual([200, []]);
  const columns = { 'column.id': 'Nummer', 'column.amount': 'Provision', 'column.date': 'Tag' };
  const choices = { ...columns, currency: 'EUR', decimal_mark: ',' };
  const seen = automatic;
  const changed = await upload('awin', csv, { ...choices, seen, intent: 'import' });
  expect([changed.status, changed.html.includes('The choices changed')]).toEqual([422, true]);
  const chosen = JSON.stringify({
    columns: { id: 'Nummer', amount: 'Provision', date: 'Tag' },
    currency: 'EUR',
    decimalMark: ',',
    dayOrder: null,
  });
  await upload('awin', csv, { ...choices, seen: chosen, intent: 'import' });
  expect(await stored()).toMatchObject([{ amount: 124_900, currency: 'EUR' }]);
  const next = await upload('awin', csv.replace('\n1;', '\n2;'));
  expect(next.html).toContain('1 new sale');
});

test('undoes an import once, and imports the report again', async () => {
  const { csv } = await awinReport();
  await importReport('awin', csv);
  const { id } = await database.db
    .selectFrom('earning_imports')
    .select('id')
    .executeTakeFirstOrThrow();
  for (const _ of [1, 2]) await admin.send('/admin/earnings', { intent: 'undo', id: String(id) });
  expect(await stored()).toEqual([]);
  await importReport('awin', csv);
  expect(await stored()).toHaveLength(3);
});

test('refuses an upload without a network or a table, and keeps the network', async () => {
  expect((await upload('amazon', 'id,commission\n1,2')).html).toContain('Choose the network.');
  expect((await upload('awin', '')).html).toContain('Choose a file.');
  const { html, status } = await upload('cj', 'no table');
  expect([status, html.includes('not a table')]).toEqual([422, true]);
  expect(html).toMatch(/<option value="cj" selected/);
});

test('escapes a network’s formulas when exporting sales', async () => {
  const csv = 'id,commission,currency,date\n=1+1,-2.50,USD,2026-11-21\n';
  await importReport('awin', csv);
  const file = await admin.open('/admin/earnings/export');
  expect(file.html).toContain("2026-11-21,Awin,'=1+1,pending,-2.5,USD");
});
