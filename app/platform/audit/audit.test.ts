import { expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { changedFields, writeAudit } from './audit.server.ts';

const database = useTestDatabase();

// Proves R42: audit
test('R42: logs the user, the action, the entity, and the former and new values', async () => {
  await writeAudit(database.db, {
    actor: 'u1',
    action: 'deal.update',
    entity: 'deal',
    entityId: 7,
    before: { title: 'Old' },
    after: { title: 'New' },
  });
  const [entry] = await database.db.selectFrom('audit_log').selectAll().execute();
  expect(entry).toMatchObject({
    actor: 'u1',
    action: 'deal.update',
    entity: 'deal',
    entity_id: '7',
    before: { title: 'Old' },
    after: { title: 'New' },
  });
});

test('R42: leaves no audit entry for an action that is rolled back', async () => {
  await expect(
    database.db.transaction().execute(async (tx) => {
      await writeAudit(tx, { actor: 'u1', action: 'deal.delete', entity: 'deal', entityId: 7 });
      throw new Error('the act failed');
    }),
  ).rejects.toThrow('the act failed');
  expect(await database.db.selectFrom('audit_log').selectAll().execute()).toEqual([]);
});

test('writes many audit entries at once, and accepts an empty list of them', async () => {
  await writeAudit(database.db, []);
  await writeAudit(
    database.db,
    [1, 2, 3].map((id) => ({ actor: 'u1', action: 'deal.feature', entity: 'deal', entityId: id })),
  );
  const entries = await database.db
    .selectFrom('audit_log')
    .select('entity_id')
    .orderBy('id')
    .execute();
  expect(entries.map((entry) => entry.entity_id)).toEqual(['1', '2', '3']);
});

test('logs only changed fields, and compares dates by their time', () => {
  const moment = new Date('2026-01-02T03:04:05Z');
  expect(
    changedFields(
      { title: 'A', price: 5, at: moment },
      { title: 'B', price: 5, at: new Date(moment) },
    ),
  ).toEqual({ before: { title: 'A' }, after: { title: 'B' } });
});

test('compares logged values by content, not by key order or the format of a time', () => {
  const at = new Date('2026-06-01T08:00:00Z');
  const before = { hero: { title: 'A', text: 'B' }, at, name: 'Same', list: [1, 2] };
  const after = {
    hero: { text: 'B', title: 'A' },
    at: at.toISOString(),
    name: 'Same',
    list: [2, 1],
    fresh: null,
  };
  expect(changedFields(before, after)).toEqual({
    before: { list: [1, 2], fresh: undefined },
    after: { list: [2, 1], fresh: null },
  });
});
