import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import names from './feed-field-names.json' with { type: 'json' };
import { feedFields, fieldSources, plainFieldName } from './feed-fields.ts';
import { feedFormats, formatOf, formats } from './feed-formats.server.ts';

test.each(feedFormats)('%s is declared in words that the readers know', (format) => {
  const { label, shape, marks = [], columns = [], fields: own = {} } = formatOf(format);
  expect(label).not.toBe('');
  expect(['xml', 'json', 'table']).toContain(shape);
  expect(feedFields).toEqual(expect.arrayContaining(Object.keys(own)));
  const all = [...marks.flat(), ...columns, ...Object.values(own).flat()];
  const plain = all.filter((name) => !name.includes('{'));
  expect(plain.filter((name) => plainFieldName(name) !== name)).toEqual([]);
  // Each way a deal needs is open, whatever the format calls it otherwise.
  const found = new Set([...fieldSources({}, own).values()].flat().map(({ field }) => field));
  expect([...found]).toEqual(expect.arrayContaining(['external_id', 'title', 'deal_url']));
});

test('the names of fields are written as columns are compared, each once for its field', () => {
  for (const own of Object.values(names)) {
    expect(own.map(plainFieldName)).toEqual(own);
    expect(new Set(own).size).toBe(own.length);
  }
});

test('each network that is declared says where it is documented, and has a feed to try it with', () => {
  const fixtures = readdirSync(new URL('./fixtures/', import.meta.url)).join(' ');
  const networks = Object.entries(formats).filter(([, { fields }]) => fields);
  expect(networks.filter(([format]) => !fixtures.includes(format))).toEqual([]);
  expect(networks.filter(([, { documented }]) => documented === undefined)).toEqual([]);
});
