import { beforeEach, expect, test } from 'vitest';
import { networkIds } from '#app/features/earnings/affiliate-networks.ts';
import { importSales } from '#app/features/earnings/import-sales.server.ts';
import { postbackAddress, postbackNetworks } from '#app/features/earnings/postback-address.ts';
import { encodeSubId } from '#app/features/earnings/sub-id.server.ts';
import { postbackToken } from '#app/features/earnings/take-postback.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';
import { signedInVisitor } from '#test/staff.ts';

const database = useTestDatabase();
let at = '2026-11-28T12:00:00Z';
const now = () => new Date(at);
const site = testSite(database, { now });
let token: string;
beforeEach(async () => {
  at = '2026-11-28T12:00:00Z';
  token = await postbackToken(database.db, 'impact');
});

const send = async (params: Record<string, string>, network = 'impact', method = 'GET') => {
  const search = new URLSearchParams({ token, ...params });
  return (await site.request(`/api/postback/${network}?${search}`, { method })).status;
};
const sale = { id: '8882.1', amount: '27.75', currency: 'EUR', status: 'PENDING' };
const stored = () =>
  database.db.selectFrom('earnings').selectAll().orderBy('transaction_id').execute();

test('stores a sale with the deal that its sub-id names', async () => {
  const deal = await insertDeal(database.db);
  const target = { kind: 'deal', id: deal.id } as const;
  const source = { channel: 'feed', newsletterId: null } as const;
  const sub_id = await encodeSubId(database.db, { target, source, day: '2026-11-20' });
  expect(await send({ ...sale, sub_id, date: '2026-11-21T10:00:00-08:00' })).toBe(200);
  expect(await stored()).toMatchObject([
    {
      transaction_id: '8882.1',
      amount: 2775,
      currency: 'EUR',
      status: 'pending',
      day: '2026-11-21',
      deal_id: deal.id,
      channel: 'feed',
      merchant_id: deal.merchant_id,
    },
  ]);
});

test('changes nothing when a postback is replayed, not even after a decision', async () => {
  expect(await send(sale)).toBe(200);
  const [first] = await stored();
  expect(await send(sale)).toBe(200);
  expect(await stored()).toEqual([first]);
  expect(await send({ ...sale, status: 'APPROVED', amount: '20' })).toBe(200);
  expect(await send(sale)).toBe(200);
  expect(await stored()).toMatchObject([{ status: 'approved', amount: 2000 }]);
  await Promise.all([send({ ...sale, id: 'twice' }), send({ ...sale, id: 'twice' })]);
  expect(await stored()).toHaveLength(2);
});

test('keeps a sale declined when an earlier approval is replayed, until a report restores it', async () => {
  expect(await send({ ...sale, status: 'APPROVED' })).toBe(200);
  expect(await send({ ...sale, status: 'REVERSED' })).toBe(200);
  const [declined] = await stored();
  expect(declined).toMatchObject({ status: 'declined', amount: 2775 });
  for (const status of ['APPROVED', 'PENDING']) expect(await send({ ...sale, status })).toBe(200);
  expect(await stored()).toEqual([declined]);
  expect(await send({ ...sale, status: 'REVERSED', amount: '0' })).toBe(200);
  expect(await stored()).toMatchObject([{ status: 'declined', amount: 0 }]);

  const report = { network: 'impact', fileName: 'actions.csv', actor: 'cli' } as const;
  await importSales(database.db, report, [
    {
      transactionId: sale.id,
      status: 'approved',
      amount: 2775,
      currency: 'EUR',
      day: '2026-11-28',
      subId: '',
    },
  ]);
  expect(await stored()).toMatchObject([{ status: 'approved', amount: 2775 }]);
});

test('keeps the day of a sale when a later postback has no date', async () => {
  await send(sale);
  at = '2026-12-20T12:00:00Z';
  await send(sale);
  await send({ ...sale, status: 'APPROVED' });
  expect(await stored()).toMatchObject([{ day: '2026-11-28', status: 'approved' }]);
  await send({ ...sale, status: 'APPROVED', date: '2026-11-27' });
  expect(await stored()).toMatchObject([{ day: '2026-11-27' }]);
});

test('refuses a forged postback, and the token of another network', async () => {
  const of = (network: 'awin') => postbackToken(database.db, network);
  for (const forged of ['', 'x', token.slice(1), `${token}x`, await of('awin')])
    expect([forged, await send({ ...sale, token: forged })]).toEqual([forged, 403]);
  expect(await send(sale, 'awin')).toBe(403);
  expect(await stored()).toEqual([]);
});

test('refuses malformed postbacks and networks that send none', async () => {
  const malformed: Record<string, string>[] = [
    { id: '' },
    { id: '{ActionId}' },
    { id: 'x'.repeat(101) },
    { amount: '{Payout}' },
    { amount: '1.2.3' },
    { amount: '99999999999' },
    { currency: 'QQQ' },
    { currency: '' },
    { status: 'perhaps' },
    { date: 'soon' },
    { date: '2030-01-01' },
  ];
  for (const wrong of malformed)
    expect([wrong, await send({ ...sale, ...wrong })]).toEqual([wrong, 400]);
  for (const network of ['cj', 'amazon', '__proto__'])
    expect([network, await send(sale, network)]).toEqual([network, 404]);
  expect(await send(sale, 'impact', 'HEAD')).toBe(405);
  expect(await stored()).toEqual([]);
});

test('limits the postbacks of one IP address', async () => {
  const limited = testSite(database, {
    now,
    env: readEnv({ NODE_ENV: 'test', ORIGIN: testOrigin, RATE_LIMITS: 'postback-address=2/60' }),
  });
  const path = `/api/postback/impact?${new URLSearchParams({ token: 'x', ...sale })}`;
  const statuses = [];
  for (const _ of [1, 2, 3]) statuses.push((await limited.request(path)).status);
  expect(statuses).toEqual([403, 403, 429]);
});

test('shows each postback URL to staff, and revokes the URL when they replace it', async () => {
  const admin = await signedInVisitor(database, site, 'admin');
  expect((await admin.open('/admin/earnings/postbacks')).html).toContain(token);
  await admin.send('/admin/earnings/postbacks', { network: 'impact' });
  expect(await send(sale)).toBe(403);
  const fresh = await postbackToken(database.db, 'impact');
  expect(fresh).not.toBe(token);
  expect(await send({ ...sale, token: fresh })).toBe(200);
  expect((await admin.open('/admin/audit')).html).toContain('the address for postbacks of');
});

test('writes each network’s placeholders unencoded', () => {
  const address = postbackAddress(testOrigin, 'awin', 'secret');
  expect(address).toContain('/api/postback/awin?token=secret&id=!!!transactionId!!!&amount=');
  expect(networkIds.filter((id) => !postbackNetworks.includes(id))).toEqual([
    'cj',
    'rakuten',
    'shareasale',
  ]);
});
