import { expect, test } from 'vitest';
import type { FeedRow } from './feed-fields.ts';
import type { MappingFile } from './feed-formats.server.ts';
import { arrangeLists, parentJoiner, scalePrices } from './record-language.ts';

const table: MappingFile = { label: 'Test', shape: 'table' };

test.each([
  ['1999 EUR', { minor_units: true }, '19.99 EUR'],
  ['1999 JPY', { minor_units: true }, '1999 JPY'],
  ['1999 KWD', { minor_units: true }, '1.9990 KWD'],
  ['5', { minor_units: 'digits' }, '0.05'],
  ['19990000', { divisor: 1_000_000 }, '19.99'],
  ['1234500', { divisor: 1_000_000 }, '1.2345'],
  ['1995000', { divisor: 1_000_000 }, '1.9950'],
  ['1599', { divisor: 'digits' }, '159.90'],
  ['15.99', { divisor: 100 }, '15.99'],
  ['free', { divisor: 100 }, 'free'],
] as const)('converts %s with %j to %s', (price, keys, wanted) => {
  const row: FeedRow = { line: 1, values: { sale_price: price } };
  const digits = 'divisor' in keys ? '10' : '2';
  scalePrices(row, { ...table, ...keys }, () => digits);
  expect(row.values.sale_price).toBe(wanted);
});

test('chooses and names the entries of lists, including nested lists', () => {
  const record = {
    Offers: [{ Price: 2 }, { IsBest: true, Price: 1 }],
    variants: [{ codes: [{ Kind: 'mpn' }, { Kind: 'ean', value: '4' }] }],
    attributes: [{ id: 'BRAND', value: 'Acme' }, { value: 'no id' }],
  };
  arrangeLists(record, {
    offers: { where: { is_best: ['true'] } },
    'variants.codes': { where: { kind: ['ean'] } },
    attributes: { by: 'id' },
    'absent.list': { by: 'id' },
  });
  expect(record).toEqual({
    Offers: [{ IsBest: true, Price: 1 }, { Price: 2 }],
    variants: [{ codes: [{ Kind: 'ean', value: '4' }, { Kind: 'mpn' }] }],
    attributes: { BRAND: { id: 'BRAND', value: 'Acme' } },
  });
});

test('drops the oldest parents when they would take too much memory', () => {
  const join = parentJoiner({ by: 'up', key: 'id', as: 'child', has: ['price'] });
  const text = 'x'.repeat(20_000_000);
  for (const id of ['a', 'b', 'c', 'd']) join({ names: ['id', 'text'], cells: [id, text] });
  const childOf = (id: string) => join({ names: ['up', 'price'], cells: [id, '5'] });
  expect(childOf('a')).toMatchObject([{ problem: 'its parent a is not in the feed' }]);
  expect(childOf('d')[0]?.names).toEqual(['id', 'text', 'child.up', 'child.price']);
});
