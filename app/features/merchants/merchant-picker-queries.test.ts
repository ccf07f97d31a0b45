import { describe, expect, test } from 'vitest';
import { insertMerchant } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { nameMerchant, pickMerchant, suggestMerchants } from './merchant-picker-queries.server.ts';

const database = useTestDatabase();

describe('picking a merchant by typing', () => {
  test('finds a merchant by name, ignoring case', async () => {
    const { id } = await insertMerchant(database.db, { name: 'Acme Tools' });
    expect(await pickMerchant(database.db, ' acme TOOLS ')).toEqual({ ok: true, id });
    expect(await nameMerchant(database.db, id)).toBe('Acme Tools');
    expect(await nameMerchant(database.db, 999)).toBeNull();
  });

  test('suggests both merchants if two share a name, and accepts a name with its slug', async () => {
    await insertMerchant(database.db, { name: 'Acme', slug: 'acme' });
    const second = await insertMerchant(database.db, { name: 'ACME', slug: 'acme-2' });
    expect(await pickMerchant(database.db, 'acme')).toEqual({
      ok: false,
      suggestions: ['Acme [acme]', 'ACME [acme-2]'],
    });
    expect(await pickMerchant(database.db, 'ACME [acme-2]')).toEqual({ ok: true, id: second.id });
  });

  test('suggests merchants that begin with the text first, then those with more deals', async () => {
    for (const [name, deal_count] of [
      ['Big Ace', 9],
      ['Ace', 1],
      ['Ace Market', 5],
      ['100% Ace', 2],
    ] as const) {
      await insertMerchant(database.db, { name, deal_count });
    }
    expect(await suggestMerchants(database.db, 'ace')).toEqual([
      'Ace Market',
      'Ace',
      'Big Ace',
      '100% Ace',
    ]);
    expect(await suggestMerchants(database.db, '100%')).toEqual(['100% Ace']);
    expect(await pickMerchant(database.db, 'ac')).toMatchObject({ ok: false });
  });
});
