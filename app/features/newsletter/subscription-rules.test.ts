import { expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import { changeSubscriptions, reactivateSubscription } from './change-subscriptions.server.ts';
import { exportSubscriptions } from './export-subscriptions.server.ts';
import {
  countSubscriptionFigures,
  listSubscriptionRows,
} from './subscription-table-queries.server.ts';
import { subscriptionTable } from './subscription-table.ts';

const database = useTestDatabase();
const day = (n: number) => new Date(`2026-01-0${n}T00:00:00Z`);

async function subscribe(
  email: string,
  state: 'active' | 'left' | 'waiting' = 'active',
  at = day(1),
) {
  const { id } = await database.db
    .insertInto('newsletter_subscriptions')
    .values({
      email,
      is_active: state === 'active',
      subscribed_at: at,
      unsubscribed_at: state === 'left' ? day(9) : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const rows = () =>
  database.db.selectFrom('newsletter_subscriptions').selectAll().orderBy('id').execute();
const audit = () => database.db.selectFrom('audit_log').selectAll().orderBy('id').execute();
const query = (search: string) => parseTableQuery(subscriptionTable, new URLSearchParams(search));
const listed = async (search: string) =>
  (await listSubscriptionRows(database.db, query(search))).rows.map(({ email }) => email);

test('finds subscriptions by address in any case, by state, newest first', async () => {
  await subscribe('ann@mail.example', 'active', day(1));
  await subscribe('bob@mail.example', 'left', day(2));
  await subscribe('cat@other.example', 'waiting', day(3));
  expect(await listed('')).toEqual(['cat@other.example', 'bob@mail.example', 'ann@mail.example']);
  expect(await listed('q=MAIL.ex')).toEqual(['bob@mail.example', 'ann@mail.example']);
  expect(await listed('q=%25')).toEqual([]);
  expect(await listed('status=active')).toEqual(['ann@mail.example']);
  expect(await listed('status=unsubscribed')).toEqual(['bob@mail.example']);
  expect(await listed('status=waiting')).toEqual(['cat@other.example']);
  expect(await listed('sort=-unsubscribed')).toEqual([
    'bob@mail.example',
    'cat@other.example',
    'ann@mail.example',
  ]);
});

test('rounds the active rate to a whole percent, and shows 0 without subscriptions', async () => {
  expect(await countSubscriptionFigures(database.db)).toEqual({
    total: 0,
    active: 0,
    unsubscribed: 0,
    activeRate: 0,
  });
  await subscribe('a@mail.example');
  await subscribe('b@mail.example');
  await subscribe('c@mail.example', 'left');
  expect(await countSubscriptionFigures(database.db)).toMatchObject({
    total: 3,
    unsubscribed: 1,
    activeRate: 67,
  });
});

// Proves Back office 4: Subscription: active, unsubscribed (change-subscriptions.server.ts)
test('ends active and waiting subscriptions, each with an audit entry, and keeps earlier end times', async () => {
  const ids = [
    await subscribe('a@mail.example'),
    await subscribe('b@mail.example', 'left'),
    await subscribe('c@mail.example', 'waiting'),
  ];
  const act = { verb: 'deactivate', actor: 'staff' } as const;
  expect(await changeSubscriptions(database.db, act, { ids })).toEqual({ ok: true, changed: 2 });
  const after = await rows();
  expect(after.map(({ is_active }) => is_active)).toEqual([false, false, false]);
  expect(after.every(({ unsubscribed_at }) => unsubscribed_at !== null)).toBe(true);
  expect(after[1]?.unsubscribed_at).toEqual(day(9));
  expect((await audit()).map(({ entity_id, before }) => [entity_id, before])).toEqual([
    [String(ids[0]), { is_active: true }],
    [String(ids[2]), { is_active: false }],
  ]);
});

test('R45: keeps no address in the audit log after a deletion', async () => {
  const id = await subscribe('gone@mail.example');
  await changeSubscriptions(database.db, { verb: 'delete', actor: 'staff' }, { ids: [id, 999] });
  expect(await rows()).toEqual([]);
  const log = await audit();
  expect(log).toMatchObject([
    {
      actor: 'staff',
      action: 'subscription.delete',
      entity: 'subscription',
      entity_id: String(id),
    },
  ]);
  expect(JSON.stringify(log)).not.toContain('gone@');
});

test('changes all matching subscriptions only if their number is still the one shown', async () => {
  await subscribe('a@mail.example');
  await subscribe('b@mail.example');
  await subscribe('c@other.example');
  const act = { verb: 'delete', actor: 'staff' } as const;
  const filter = query('q=mail.example');
  expect(await changeSubscriptions(database.db, act, { filter, expectedCount: 1 })).toEqual({
    ok: false,
    reason: 'count-changed',
    seen: 1,
    count: 2,
  });
  expect(await rows()).toHaveLength(3);
  expect(await changeSubscriptions(database.db, act, { filter, expectedCount: 2 })).toEqual({
    ok: true,
    changed: 2,
  });
  expect(await rows()).toMatchObject([{ email: 'c@other.example' }]);
});

test('requires a reason for a reactivation, and stores it in the audit log', async () => {
  const id = await subscribe('a@mail.example', 'left');
  const reactivate = (reason: string) =>
    reactivateSubscription(database.db, { id, actor: 'staff', reason });
  expect(await reactivate('  ')).toEqual({ ok: false, reason: 'no-reason' });
  expect(await reactivate('x'.repeat(301))).toEqual({ ok: false, reason: 'reason-too-long' });
  expect(await rows()).toMatchObject([{ is_active: false }]);
  expect(await reactivate(' Asked by phone ')).toEqual({ ok: true });
  expect(await rows()).toMatchObject([{ is_active: true, unsubscribed_at: null }]);
  expect(await audit()).toMatchObject([
    { action: 'subscription.activate', after: { is_active: true, reason: 'Asked by phone' } },
  ]);
  expect(await reactivate('Again')).toEqual({ ok: false, reason: 'active' });
});

// Proves Back office 2: Subscriptions: Export CSV of every row (subscriptions-file-route.ts)
test('exports every subscription with the specification’s columns', async () => {
  await subscribe('a@mail.example');
  await subscribe('b@mail.example', 'left', day(2));
  const exported: (string | null)[][] = [];
  for await (const row of exportSubscriptions(database.db)) exported.push(row);
  expect(exported).toEqual([
    ['a@mail.example', 'Active', '2026-01-01T00:00:00.000Z', null],
    ['b@mail.example', 'Inactive', '2026-01-02T00:00:00.000Z', '2026-01-09T00:00:00.000Z'],
  ]);
});
