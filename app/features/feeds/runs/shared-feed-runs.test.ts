import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { beforeEach, expect, test, vi } from 'vitest';
import { useCurrencyShop } from '#test/currency-shop.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertFeedSource, insertMerchant } from '#test/factories/insert.ts';
import { useStoppedClock } from '#test/stopped-clock.ts';
import { importFeed } from './import-feed.server.ts';

// Feeds as shops send them, imported one after another into one source, with each day's counts and
// issues, and the deals after the last day.

interface Case {
  days: string[];
  currency?: string;
  runs: {
    format: string | null;
    encoding: string | null;
    counts: Record<string, number>;
    issues: string[];
  }[];
  /** Id, title, price and old price in minor units, link, picture, stock, category, brand, code. */
  deals: string[];
}
const cases: Case[] = JSON.parse(
  readFileSync(new URL('shared-feed-runs.json', import.meta.url), 'utf8'),
);

const database = useTestDatabase();
const shop = useCurrencyShop(database);
useStoppedClock();
beforeEach(() => void vi.setSystemTime(new Date('2026-11-26T12:00:00Z')));

/** Returns only the counts that are not zero. */
const counted = (counts: object) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));

async function importDays({ days, currency = 'EUR' }: Pick<Case, 'days' | 'currency'>) {
  await shop.setCurrency(currency);
  const { id } = await insertMerchant(database.db, {
    name: 'Shop',
    website_url: 'https://shop.example',
  });
  const source = await insertFeedSource(database.db, { merchant_id: id });
  const runs: Case['runs'] = [];
  for (const day of days) {
    const file = fileURLToPath(new URL(`../formats/fixtures/feeds/${day}`, import.meta.url));
    const options = { merchant: 'Shop', shop: 'https://shop.example', feedSourceId: source.id };
    const report = await importFeed(
      database.db,
      { file },
      { ...options, endsMissing: !day.includes('supplemental'), mayEndMany: true },
    );
    expect(report).toMatchObject({ state: 'done', error: null });
    const { format, encoding, counts } = report;
    const issues = report.issues.map(
      ({ kind, external_id, reason }) => `${kind} ${external_id ?? 'feed'}: ${reason}`,
    );
    expect(report.issueCount).toBe(issues.length);
    runs.push({ format: format, encoding: encoding, counts: counted(counts), issues });
  }
  const { rows } = await sql<{ line: string }>`
    select concat(external_id, ' · ', title, ' · ', sale_price, ' · ', original_price, ' · ', deal_url, ' · ', image_url, ' · ',
                  availability, ' · ', c.name, ' · ', brand, ' · ', gtin, ' · ' || d.description,
                  case when is_expired then ' · ended' end, case when not d.is_active then ' · draft' end) as line
      from deals d join categories c on c.id = d.category_id order by d.id`.execute(database.db);
  return { runs, deals: rows.map(({ line }) => line) };
}

test.each(cases)('imports every field of $days', async ({ runs, deals, ...given }) => {
  expect(await importDays(given)).toEqual({ runs, deals });
});
