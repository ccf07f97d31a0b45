import { expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { type AuditEntry, writeAudit } from './audit.server.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import { type AuditPlace, listAuditChoices, listAuditRows } from './audit-queries.server.ts';
import { auditTable } from './audit-table.ts';

const database = useTestDatabase();

async function note(entry: Partial<AuditEntry> = {}) {
  await writeAudit(database.db, {
    actor: 'cli',
    action: 'deal.update',
    entity: 'deal',
    entityId: 7,
    ...entry,
  });
}
const list = (search = '', place: AuditPlace = null, timeZone = 'UTC') =>
  listAuditRows(database.db, {
    query: parseTableQuery(auditTable, new URLSearchParams(search)),
    timeZone,
    place,
  });
const found = async (search: string) => (await list(search)).rows.map((row) => row.entity_id);

// Proves R42: the audit log is read in the back office (audit-page.tsx)
test('R42: lists audit entries newest first, even if the user no longer exists', async () => {
  const { id } = await insertUser(database.db);
  await note({ actor: id, entityId: 1 });
  await note({ actor: 'erased-one', entityId: 2 });
  expect((await list()).rows).toMatchObject([
    { actor: 'erased-one', entity_id: '2' },
    { actor: id, entity_id: '1' },
  ]);
});

test('filters audit entries by user, action, entity, and text of the change', async () => {
  await note({ entityId: 1, after: { title: 'Desk lamp', note: 'a\nbroken line' } });
  await note({ entityId: 2, actor: 'u1', action: 'user.role', entity: 'user' });
  await note({ entityId: 3, before: { price: 4999 } });
  expect(await found('actor=u1')).toEqual(['2']);
  expect(await found('action=deal.update')).toEqual(['3', '1']);
  expect(await found('entity=user')).toEqual(['2']);
  expect(await found('entity=deal&id=3')).toEqual(['3']);
  expect(await found('q=LAM')).toEqual(['1']);
  expect(await found('q=lamp+desk')).toEqual(['1']);
  expect(await found('q=broken')).toEqual(['1']);
  expect(await found('q=role')).toEqual(['2']);
  expect(await found('q=4999')).toEqual(['3']);
  expect(await found('q=%26+%7C+%3A*')).toEqual(['3', '2', '1']);
  expect(await found("q=o'clock")).toEqual([]);
});

test("filters by a day in the site's time zone, and ignores an invalid date", async () => {
  for (const [entityId, at] of [
    ['1', '2026-03-01T04:59:59Z'],
    ['2', '2026-03-01T05:00:00Z'],
    ['3', '2026-03-02T04:59:59Z'],
    ['4', '2026-03-02T05:00:00Z'],
  ] as const) {
    await database.db
      .insertInto('audit_log')
      .values({ actor: 'cli', action: 'a', entity: 'e', entity_id: entityId, at: new Date(at) })
      .execute();
  }
  const inNewYork = async (search: string) =>
    (await list(search, null, 'America/New_York')).rows.map((row) => row.entity_id);
  expect(await inNewYork('from=2026-03-01&to=2026-03-01')).toEqual(['3', '2']);
  expect(await inNewYork('from=2026-03-02')).toEqual(['4']);
  expect(await inNewYork('to=2026-02-28')).toEqual(['1']);
  expect(await inNewYork('from=2026-02-31')).toHaveLength(4);
});

test('starts each page of the log where the previous one ended, in both directions, even when entries are added', async () => {
  for (let n = 1; n <= 120; n++) await note({ entityId: n });
  const first = await list();
  expect([first.rows.length, first.hasNewer, first.hasOlder]).toEqual([50, false, true]);
  await note({ entityId: 'late' });
  const second = await list('', { olderThan: first.rows.at(-1)?.id ?? 0 });
  expect([second.rows[0]?.entity_id, second.rows.at(-1)?.entity_id]).toEqual(['70', '21']);
  const third = await list('', { olderThan: second.rows.at(-1)?.id ?? 0 });
  expect([third.rows.length, third.hasNewer, third.hasOlder]).toEqual([20, true, false]);
  const back = await list('', { newerThan: third.rows[0]?.id ?? 0 });
  expect(back).toEqual({ ...second, hasNewer: true, hasOlder: true });
});

test('offers each value of the log once in the filters', async () => {
  await note({ actor: 'u1' });
  await note({ actor: 'u1', action: 'user.role', entity: 'user' });
  await note();
  expect(await listAuditChoices(database.db)).toEqual({
    actors: ['cli', 'u1'],
    actions: ['deal.update', 'user.role'],
    entities: ['deal', 'user'],
  });
});

test('R42: stores a change of any length, and does not let the application change an entry', async () => {
  await note({ after: { content: 'word '.repeat(300_000) } });
  expect(await found('q=word')).toEqual(['7']);
  await expect(database.db.updateTable('audit_log').set({ actor: 'me' }).execute()).rejects.toThrow(
    'append-only',
  );
  await expect(database.db.deleteFrom('audit_log').execute()).rejects.toThrow('append-only');
});
