import { expect, test } from 'vitest';
import { ask } from '#database/ask.ts';
import { useTestDatabase } from '#test/database.ts';

// Amounts without a currency would be misread after a change of the site's currency.

const database = useTestDatabase();

const amounts = /price|amount|struck|common90|low30|measured|claim|lowest|_over$|^low$|^low_30/;
/** Integer columns that match `amounts`, and why their table needs no currency. */
const reasons: Record<string, string> = {
  'deal_forecasts.price': 'deleted with a change of the currency',
  'evidence_days.last_price': 'an id',
  'evidence_days.prices': 'a count',
  'forecasts.price': 'closed with a change of the currency; judged, it is compared with nothing',
  'merchants.free_shipping_over': 'emptied with a change of the currency',
  'merchants.hide_price_after_hours': 'a time',
  'watch_requests.target_price': 'deleted with a change of the currency',
  'watched_filters.max_price': 'its searches are switched off with a change of the currency',
  'watched_filters.min_price': 'its searches are switched off with a change of the currency',
  'watched_searches.max_price': 'switched off with a change of the currency',
  'watched_searches.min_price': 'switched off with a change of the currency',
};

test('stores each amount in a table with its currency, or gives a reason', async () => {
  const columns = await ask(database.db).rows<{ name: string; hasCurrency: boolean }>`
    select c.table_name || '.' || c.column_name as name,
           exists (select from information_schema.columns u
             where u.table_schema = 'public' and u.table_name = c.table_name and u.column_name = 'currency') as "hasCurrency"
      from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.udt_name in ('int4', 'int8', '_int4', 'numeric')
     order by 1`;
  const found = columns.filter(({ name }) => amounts.test(name.split('.')[1] ?? ''));
  expect(found.length).toBeGreaterThan(20);
  const bare = found.filter(({ hasCurrency }) => !hasCurrency).map(({ name }) => name);
  expect(bare).toEqual(Object.keys(reasons).toSorted());
});
