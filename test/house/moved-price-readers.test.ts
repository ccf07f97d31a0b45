import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectFiles } from '#test/import-graph.ts';

// The site must never claim that it saw a price that the owner imported. Proofs, lows, verdicts,
// checks, forecasts and alerts therefore read no imported prices; only the code below does.

const root = path.resolve(import.meta.dirname, '../..');
/** Code that names the table, with the reason. */
const allowed: Record<string, string> = {
  'app/features/moved-prices/price-move-queries.server.ts': 'what a move would add',
  'app/features/moved-prices/prices-of-deal.server.ts': 'lists and removes prices for staff',
  'app/features/moved-prices/run-price-move.server.ts': 'adds and removes prices',
  'app/features/prices/price-history-queries.server.ts': 'the chart, apart from the log',
  'database/functions/delete_deals.sql': 'keeps the prices of a deleted deal',
  'database/functions/restore_deal.sql': 'restores the prices of a deleted deal',
};
/** Code that reads the history with imported prices, and shows the source of each. */
const readers = [
  'app/admin/deals/edit-deal-page.tsx',
  'app/api/v1/deal-answers.server.ts',
  'app/features/prices/price-history-queries.server.ts',
  'app/storefront/deals/deal-page.tsx',
];

const sources = projectFiles('*.ts', '*.tsx', '*.sql')
  .filter((file) => /^(?:app|server|database\/functions)\//.test(file))
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));

const filesWith = (pattern: RegExp) =>
  sources
    .filter(({ text }) => pattern.test(text))
    .map(({ file }) => file)
    .toSorted();

test('reads imported prices only for the chart, never for a claim', () => {
  const names = /\b(?:from|join|update|into)\s+moved_prices\b|From\('moved_prices'/;
  expect(filesWith(names)).toEqual(Object.keys(allowed).toSorted());
});

test('reads the history with imported prices only where their source is shown', () => {
  expect(filesWith(/\breadPriceHistory\(/)).toEqual(readers);
});

test('does not write imported prices into the log', () => {
  const writers = sources.filter(
    ({ file, text }) =>
      /moved-prices\//.test(file) && /\binto price_log|Into\('price_log/.test(text),
  );
  expect(writers).toEqual([]);
});
