import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as fc from '#test/fast-check.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { checkFeedRow, type FeedRowRules, type ImportRow } from './check-feed-row.ts';
import { FeedError } from './feed-error.ts';
import { feedFields, type FeedFormat, type FeedRow } from './feed-fields.ts';
import { feedFormats } from './feed-formats.server.ts';
import { importFeed } from '../runs/import-feed.server.ts';
import { readFeed } from './read-feed.server.ts';

const database = useTestDatabase();
const fixtures = fileURLToPath(new URL('./fixtures/', import.meta.url));
const names = readdirSync(fixtures, { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name }) => name);
const bytesOf = new Map(names.map((name) => [name, readFileSync(path.join(fixtures, name))]));
const sizeLimits = { rawBytes: 1_000_000, unpackedBytes: 1_000_000 };
const rules: FeedRowRules = {
  currency: 'USD',
  now: new Date('2026-06-01'),
};

const aFixture = fc.constantFrom(...names).map((name) => bytesOf.get(name) ?? Buffer.alloc(0));
/**
 * Generates a fixture with changed, removed or duplicated bytes, as a faulty connection or program
 * would cause.
 */
const aDamagedFeed = fc
  .tuple(
    aFixture,
    fc.array(fc.record({ at: fc.nat(), with: fc.uint8Array({ maxLength: 6 }), over: fc.nat(12) }), {
      minLength: 1,
      maxLength: 6,
    }),
  )
  .map(([whole, wounds]) => {
    let bytes = whole;
    for (const { at, with: put, over } of wounds) {
      const from = at % (bytes.length + 1);
      bytes = Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + over)]);
    }
    return bytes;
  });
/** Characters that are special to one of the readers, in random order. */
const signs =
  `<item> </item> <rss> <g:id> </g:id> <![CDATA[ ]]> <!-- --> " ' , ; | { } [ ] : & \\ id title link price 1 -5 0
  https://x.example/ é`.split(/\s+/);
const anyNonsense = fc
  .array(fc.constantFrom(...signs, '\t', '\n', '\r\n', '\0', '\uFEFF'), { maxLength: 60 })
  .map((parts) => Buffer.from(parts.join('')));

describe('a feed of random bytes', () => {
  test.each([
    ['damage', aDamagedFeed],
    ['nonsense', anyNonsense],
    ['noise', fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes))],
    ['packed noise', aDamagedFeed.map((bytes) => gzipSync(bytes))],
    [
      'a broken package',
      fc.tuple(aFixture, fc.nat()).map(([bytes, at]) => cut(gzipSync(bytes), at)),
    ],
  ] as const)(
    'yields rows or a message for random bytes in %s, never another error',
    async (_kind, feed) => {
      await fc.assert(
        fc.asyncProperty(feed, async (bytes) => {
          const { rows, error } = await collect([bytes]);
          for (const row of rows) expectSoundRow(row);
          expect(error?.message).not.toBe('');
        }),
        { numRuns: 60 },
      );
    },
  );

  test('yields rows or a message for random bytes in a wrongly chosen format', async () => {
    const format = fc.constantFrom('auto', ...feedFormats);
    await fc.assert(
      fc.asyncProperty(aDamagedFeed, format, async (bytes, chosen) => {
        const { rows } = await collect([bytes], chosen);
        for (const row of rows) expectSoundRow(row);
      }),
      { numRuns: 60 },
    );
  });

  test('reads random bytes identically however the network splits them', async () => {
    await fc.assert(
      fc.asyncProperty(aDamagedFeed, fc.array(fc.nat(), { maxLength: 8 }), async (bytes, cuts) => {
        const ends = cuts.map((at) => at % (bytes.length + 1)).toSorted((a, b) => a - b);
        const pieces = [...ends, bytes.length].map((end, index) =>
          bytes.subarray(index === 0 ? 0 : ends[index - 1], end),
        );
        const [once, split] = [await collect([bytes]), await collect(pieces)];
        expect(split.rows).toEqual(once.rows);
        expect(split.error?.message).toBe(once.error?.message);
      }),
      { numRuns: 50 },
    );
  });

  test.each(names)('reads the beginning of %s correctly if the feed ends early', async (name) => {
    const bytes = bytesOf.get(name) ?? Buffer.alloc(0);
    const whole = await collect([bytes]);
    expect(whole.error).toBeNull();
    expect(whole.rows.length).toBeGreaterThan(0);
    for (let at = 0; at < bytes.length; at += 23) {
      const cutFeed = await collect([bytes.subarray(0, at)]);
      const rows = cutFeed.rows.filter((row) => row.problem === undefined);
      // The last row may be truncated, since a table's row ends with the file.
      expect(rows.slice(0, -1)).toEqual(whole.rows.slice(0, Math.max(0, rows.length - 1)));
    }
  });
});

describe('a product of random text', () => {
  const words = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('0', '-1', '0.001', '19.99', '1e9', '12 USD', 'javascript:alert(1)', '\0'),
    fc.webUrl(),
  );
  const values = fc.record(Object.fromEntries(feedFields.map((field) => [field, words])), {
    requiredKeys: [],
  });

  test('validates a product of random text without an exception, and yields values that fit a deal', () => {
    fc.assert(
      fc.property(values, fc.boolean(), (said, groupsVariants) => {
        expectSoundRow({ line: 1, values: said }, { ...rules, groupsVariants });
      }),
      { numRuns: 300 },
    );
  });

  test('never truncates a brand inside a character', () => {
    const branded = {
      external_id: '1',
      title: 'Cup',
      deal_url: 'https://x.example/cup',
      original_price: '5',
      brand: `${'x'.repeat(99)}😀`,
    };
    expect(checkFeedRow({ line: 1, values: branded }, rules)).toMatchObject({
      ok: true,
      row: { brand: 'x'.repeat(99) },
    });
  });

  test('accepts a product with any text where only text is required', () => {
    const good = {
      external_id: '1',
      title: 'Cup',
      deal_url: 'https://x.example/cup',
      original_price: '5',
    };
    const asides = ['description', 'brand', 'gtin', 'coupon_code', 'availability', 'condition'];
    fc.assert(
      fc.property(fc.constantFrom(...asides), words, (field, text) => {
        const checked = checkFeedRow({ line: 1, values: { ...good, [field]: text } }, rules);
        expect(checked).toMatchObject({ ok: true, row: { title: 'Cup', sale_price: 500 } });
      }),
    );
  });
});

describe('an import of random feeds', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'malformed-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('reports an import of random feeds, and stores no price of 0 or less', async () => {
    const file = path.join(folder, 'feed');
    await fc.assert(
      fc.asyncProperty(fc.oneof(aDamagedFeed, anyNonsense), async (bytes) => {
        await writeFile(file, bytes);
        const report = await importFeed(
          database.db,
          { file },
          { merchant: 'Shop', category: 'All' },
        );
        expect(['done', 'failed']).toContain(report.state);
      }),
      { numRuns: 15 },
    );
    for (const table of ['deals', 'price_log'] as const) {
      const wrong = await database.db
        .selectFrom(table)
        .select('id')
        .where('sale_price', '<=', 0)
        .execute();
      expect(wrong).toEqual([]);
    }
    const running = await database.db
      .selectFrom('import_runs')
      .select('id')
      .where('state', '=', 'running')
      .execute();
    expect(running).toEqual([]);
  });

  test('reports a rejected price even with characters that the database rejects', async () => {
    const file = path.join(folder, 'nul.csv');
    await writeFile(
      file,
      'id,title,link,price\n1,Cup,https://x.example/1,5\0\n2,Pot,https://x.example/2,7\n',
    );
    const report = await importFeed(database.db, { file }, { merchant: 'Shop', category: 'All' });
    expect(report).toMatchObject({ state: 'done', counts: { new: 1, rejected: 1 } });
    expect(report.issues[0]?.reason).toContain('price is not a number: 5');
  });
});

function expectSoundRow(row: FeedRow, by: FeedRowRules = rules): void {
  const checked = checkFeedRow(row, by);
  expect(checked.ok ? faultsOf(checked.row) : checked.reason === '').toEqual(
    checked.ok ? [] : false,
  );
}

/** Returns the values of an accepted row that a deal must not have. */
function faultsOf(deal: ImportRow): string[] {
  const isPrice = (cents: number) => Number.isInteger(cents) && cents > 0 && cents <= 2_147_483_647;
  const isAddress = (text: string) => /^https?:\/\//.test(text) && text.length <= 2_048;
  const isWithin = (text: string, least: number, most: number) =>
    text.length >= least &&
    text.length <= most &&
    !/(?!\n)\p{Cc}/u.test(text) &&
    text.isWellFormed();
  const judged: Record<string, boolean> = {
    'sale price': isPrice(deal.sale_price),
    'original price': deal.original_price === null || isPrice(deal.original_price),
    reduction: deal.original_price === null || deal.original_price > deal.sale_price,
    link: isAddress(deal.deal_url),
    picture: deal.image_url === null || isAddress(deal.image_url),
    id: isWithin(deal.external_id, 1, 255),
    title: isWithin(deal.title, 1, 200),
    description: isWithin(deal.description ?? '', 0, 5_000),
    coupon: isWithin(deal.coupon_code ?? '', 0, 64),
    brand: isWithin(deal.brand ?? '', 0, 100),
    categories: deal.category_path.every((name) => isWithin(name, 1, 100)),
  };
  return Object.keys(judged).filter((name) => !judged[name]);
}

async function collect(
  pieces: readonly Uint8Array[],
  format: FeedFormat = 'auto',
): Promise<{ rows: FeedRow[]; error: FeedError | null }> {
  async function* source(): AsyncGenerator<Uint8Array> {
    yield* pieces;
  }
  const rows: FeedRow[] = [];
  try {
    const feed = await readFeed(source(), { sizeLimits, format });
    for await (const row of feed.rows) rows.push(row);
    return { rows, error: null };
  } catch (error) {
    if (error instanceof FeedError) return { rows, error };
    throw error;
  }
}

function cut(bytes: Buffer, at: number): Buffer {
  return bytes.subarray(0, at % bytes.length);
}
