import { expect, test } from 'vitest';
import { checkFeedRow } from './check-feed-row.ts';
import { feedFields, fieldSources, plainFieldName } from './feed-fields.ts';

const rules = { currency: 'USD', now: new Date(0) };
const product = {
  external_id: '1',
  title: 'Pot',
  deal_url: 'https://shop.example/1',
  sale_price: '9',
};

test.each(['g:mpn', 'Manufacturer Part Number', 'ManufacturerPartNumber', 'vendorCode'])(
  'reads the part number from the column %s',
  (column) => {
    const fields = fieldSources()
      .get(plainFieldName(column))
      ?.map(({ field }) => field);
    expect(feedFields).toContain('mpn');
    expect(fields).toEqual(['mpn']);
  },
);

test('stores the part number and the group of variants', () => {
  const values = { ...product, mpn: ' KT-100 ', group_id: 'kettle' };
  expect(checkFeedRow({ line: 1, values }, rules)).toMatchObject({
    row: { mpn: 'KT-100', item_group_id: 'kettle', external_id: '1' },
  });
});

test.each(['', 'n/a', 'Does not apply', 'x'.repeat(300)])(
  'stores neither part number nor group for %j',
  (text) => {
    const values = { ...product, mpn: text, group_id: text };
    expect(checkFeedRow({ line: 1, values }, rules)).toMatchObject({
      row: { mpn: null, item_group_id: null },
    });
  },
);
