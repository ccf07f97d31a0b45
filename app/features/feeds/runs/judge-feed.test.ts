import { expect, test } from 'vitest';
import type { FeedRow } from '../formats/feed-fields.ts';
import { FeedError } from '../formats/feed-error.ts';
import type { ImportRow } from '../formats/check-feed-row.ts';
import type { SupplementRow } from '../formats/check-supplement.ts';
import { judgeFeed, type JudgedRows } from './judge-feed.ts';

const rules = { currency: 'USD', now: new Date('2026-01-01') };

function row(line: number, values: FeedRow['values'] = {}): FeedRow {
  const link = `https://shop.example/${line}`;
  return {
    line,
    values: { external_id: `${line}`, title: 'Pot', deal_url: link, sale_price: '9', ...values },
  };
}

async function* feedOf(length: number, end?: Error) {
  for (let line = 1; line <= length; line++) yield row(line);
  if (end) throw end;
}

async function judge(
  feed: AsyncIterable<FeedRow>,
  limit = 2_000,
): Promise<JudgedRows<ImportRow | SupplementRow>[]> {
  return Array.fromAsync(judgeFeed(feed, { ...rules, limit }, (judged) => judged));
}

test('validates five hundred rows at a time, including the last few', async () => {
  const parts = await judge(feedOf(1_200));
  expect(parts.map(({ read, rows, error }) => [read, rows.length, error])).toEqual([
    [500, 500, null],
    [500, 500, null],
    [200, 200, null],
  ]);
});

test('rejects rows with invalid required values, and notes omitted optional ones', async () => {
  async function* feed() {
    yield row(1, { sale_price: 'ask' });
    yield row(2, { coupon_code: 'x'.repeat(65) });
    yield row(3, { external_id: '', sale_price: '' });
  }
  const [part] = await judge(feed());
  expect(part).toMatchObject({ read: 3, rejected: 2, refused: ['1'] });
  expect(part?.rows.map((one) => one.external_id)).toEqual(['2']);
  expect(part?.issues.map(({ kind, line }) => [kind, line])).toEqual([
    ['rejected', 1],
    ['note', 2],
    ['rejected', 3],
  ]);
});

test('reports how far an interrupted or oversized feed was read, and why reading ended', async () => {
  const broken = new FeedError('the table ends in the middle of a value');
  const [first, last] = await judge(feedOf(700, broken));
  expect(first).toMatchObject({ read: 500, error: null });
  expect(last).toMatchObject({ read: 200, error: broken });
  const [long] = await judge(feedOf(20), 12);
  expect(long).toMatchObject({ read: 12, error: new FeedError('the feed has more than 12 rows') });
});
