import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, inject, it } from 'vitest';
import { describeSchema } from '#database/describe-schema.ts';
import { migrate, readMigrationTexts } from '#database/migrate.ts';
import { releases } from '#database/releases.ts';
import { heldRows, openOlderShop } from '#test/older-shop.ts';

// Proves R39: older data survive (migrate.ts)
it.each(releases)('R39: keeps every row of $version through the upgrade', async (one) => {
  const shop = await openOlderShop(one.version);
  try {
    const before = await heldRows(shop.pool);
    // Backups omit `pictures`, which lists copies of pictures that are stored elsewhere.
    expect(before.filter(({ rows }) => rows === 0).map(({ table }) => table)).toEqual(['pictures']);
    await migrate(shop.db);
    expect(await heldRows(shop.pool, before)).toEqual(before);
    expect(await describeSchema(shop.pool)).toBe(inject('templateSchema'));
    const { rows } = await shop.pool.query(
      'select conname from pg_constraint where not convalidated union select indexrelid::regclass::text from pg_index where not indisvalid',
    );
    expect(rows).toEqual([]);
  } finally {
    await shop.remove();
  }
});

it('has an existing migration, in order, and a fixture for every release', async () => {
  const known = [...(await readMigrationTexts()).keys()];
  const places = releases.map(({ lastMigration }) => known.indexOf(lastMigration));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  const fixtures = await readdir(path.join(import.meta.dirname, '../test/fixtures/releases'));
  for (const { version } of releases) {
    expect(fixtures).toEqual(
      expect.arrayContaining([`${version}.backup`, `rows-of-${version}.sql`]),
    );
  }
});
