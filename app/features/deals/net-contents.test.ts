import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { insertDeal } from '#test/factories/insert.ts';
import { parseContents, readContents, showAmount, unitNames, units } from './net-contents.ts';

const database = useTestDatabase();

describe('net contents as staff type them', () => {
  test.each([
    ['700 g', '700 g'],
    ['700g', '700 g'],
    ['0,7 l', '0.7 l'],
    ['1.50 L', '1.5 l'],
    ['6 x 330 ml', '1980 ml'],
    ['2 × 0.5 kg', '1 kg'],
    ['24 pieces', '24 ct'],
    ['12 fl oz', '12 floz'],
    ['5 m²', '5 sqm'],
    ['20 g per 100 g', '20 g per 100 g'],
    ['750 ml per l', '750 ml per 1 l'],
    ['0.750 l', '0.75 l'],
    ['67.628 floz', '67.628 floz'],
  ])('stores %s as %s', (typed, stored) => {
    expect(readContents(typed)).toBe(stored);
  });

  test.each([
    '',
    '700',
    'g',
    '4 TB',
    '18 V',
    '55 "',
    '1.5 mm',
    '1,500 g',
    '1.500 g',
    '3 x 1.500 kg',
    '0 g',
    '-5 g',
    '700 g per 3 g',
    '700 g per 100 ml',
    '700 g per 100 g per kg',
    '500 ml bottle',
    '9999 x 9999999 g',
  ])('refuses %j', (typed) => {
    expect(readContents(typed)).toBeNull();
  });

  test('shows amounts with their unit', () => {
    const shown = (stored: string) => {
      const contents = parseContents(stored);
      return contents && showAmount(contents.amount);
    };
    expect(['1980 ml', '1 ct', '24 ct', '2.5 sqft', '12 floz'].map(shown)).toEqual([
      '1,980 ml',
      '1 piece',
      '24 pieces',
      '2.5 sq ft',
      '12 fl oz',
    ]);
  });
});

describe('the database', () => {
  test('uses the same unit sizes as the code', async () => {
    const kinds = ['weight', 'volume', 'length', 'area', 'pieces'];
    for (const name of unitNames) {
      const { rows } = await sql<{ rank: number }>`
        select unit_rank(${`2.5 ${name}`}, 999) as rank`.execute(database.db);
      const place = (kinds.indexOf(units[name].kind) + 1) * 1e9;
      const price = 999 / (2.5 * units[name].size);
      expect(Math.abs((rows[0]?.rank ?? 0) - place - price), name).toBeLessThan(1e-5);
    }
  });

  test('returns no unit rank without net contents, and rejects invalid contents', async () => {
    const { rows } = await sql<{ rank: null }>`select unit_rank(null, 999) as rank`.execute(
      database.db,
    );
    expect(rows).toEqual([{ rank: null }]);
    await insertDeal(database.db, { net_contents: '0.05 kg per 100 g' });
    for (const wrong of ['700', '0 g', '0.00 g', '6 x 330 ml', '700 g per', '1,5 kg']) {
      await expect(insertDeal(database.db, { net_contents: wrong }), wrong).rejects.toThrow(
        /check constraint/,
      );
    }
  });
});
