import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

// Voided lines must be ignored, so code that reads prices uses the view `valid_prices`.

const root = path.resolve(import.meta.dirname, '../..');
/** Code that reads the log itself, with the reason. */
const allowed: Record<string, string> = {
  'app/features/deals/void-prices.server.ts': 'voids lines, and lists voided ones to staff',
  'app/features/evidence/evidence-queries.server.ts': 'proves every line, voided or not',
  'app/features/evidence/read-log.server.ts': 'seals every line, voided or not',
  'app/features/evidence/seal-days-job.server.ts': 'the day of the first line',
  'app/features/feeds/review/roll-back-import.server.ts': 'names the lines that a run wrote',
  'app/features/site-settings/site-figures.server.ts': 'counts what was ever logged',
  'app/features/watched-searches/notify-of-searches-job.server.ts': 'the newest number alone',
  'database/functions/begin_discount_check.sql': 'the newest number alone',
  'database/functions/delete_deals.sql': 'keeps the log of a deleted deal',
  'database/functions/find_for_searches.sql': 'the newest number alone',
  'database/functions/price_voids_settle.sql': 'when voided lines were logged',
  'database/functions/settle_prices.sql': 'the last line in another currency',
  'database/functions/restore_deal.sql': 'takes out what the coming back of a deal wrote',
};

function filesUnder(folder: string, ending: RegExp): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => path.join(folder, name));
}

const sources = [
  ...filesUnder('database/functions', /\.sql$/),
  ...filesUnder('app', /\.tsx?$/),
  ...filesUnder('server', /\.ts$/),
];
const readsLog = /\b(?:from|join)\s+price_log\b|selectFrom\('price_log|oid = 'price_log'/;

test('reads prices through the view that omits voided lines', () => {
  const readers = sources.filter((file) =>
    readsLog.test(readFileSync(path.join(root, file), 'utf8')),
  );
  expect(readers.toSorted()).toEqual(Object.keys(allowed).toSorted());
});

test('reads only the newest id from the log directly when looking for new prices', () => {
  for (const file of ['begin_discount_check', 'find_for_searches']) {
    const text = readFileSync(path.join(root, 'database/functions', `${file}.sql`), 'utf8');
    expect(text.replaceAll(/max\(id\)(?:, 0\))? from price_log\b/g, '')).not.toMatch(readsLog);
  }
});
