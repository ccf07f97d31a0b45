import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import names from './feed-field-names.json' with { type: 'json' };
import { feedFields, fieldSources, plainFieldName } from './feed-fields.ts';
import { feedFormats, formatOf, formats } from './feed-formats.server.ts';

test.each(feedFormats)('uses only field names that the readers support: %s', (format) => {
  const { label, shape, marks = [], columns = [], fields: own = {} } = formatOf(format);
  expect(label).not.toBe('');
  expect(['xml', 'json', 'table']).toContain(shape);
  expect(feedFields).toEqual(expect.arrayContaining(Object.keys(own)));
  const all = [...marks.flat(), ...columns, ...Object.values(own).flat()];
  const { lists = {}, parent, skips = {}, minor_units, divisor } = formatOf(format);
  const rules = Object.values(lists).flatMap(({ where = {}, by = '' }) => [
    by,
    ...Object.keys(where),
  ]);
  const paths = [...Object.keys(lists), ...rules].flatMap((path) => path.split('.'));
  const read = [parent?.by, parent?.key, ...(parent?.has ?? []), minor_units, divisor];
  all.push(...paths, ...Object.keys(skips), ...read.filter((name) => typeof name === 'string'));
  const plain = all.filter((name) => !name.includes('{'));
  expect(plain.filter((name) => plainFieldName(name) !== name)).toEqual([]);
  // Finds every required field, regardless of its name in the format.
  const found = new Set([...fieldSources({}, own).values()].flat().map(({ field }) => field));
  expect([...found]).toEqual(expect.arrayContaining(['external_id', 'title', 'deal_url']));
});

test('lists field names in normalized form, each once per field', () => {
  for (const own of Object.values(names)) {
    expect(own.map(plainFieldName)).toEqual(own);
    expect(new Set(own).size).toBe(own.length);
  }
});

test('links to each network’s documentation, and has a test feed for each', () => {
  const fixtures = readdirSync(new URL('./fixtures/', import.meta.url)).join(' ');
  const networks = Object.entries(formats).filter(([, { fields }]) => fields);
  expect(networks.filter(([format]) => !fixtures.includes(format))).toEqual([]);
  expect(networks.filter(([, { documented }]) => documented === undefined)).toEqual([]);
});
