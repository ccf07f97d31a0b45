import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { checkFeedRow, type ImportRow } from './check-feed-row.ts';
import { FeedError } from './feed-error.ts';
import { readFeed } from './read-feed.server.ts';

// A transfer may be interrupted at any byte. No accepted product may have a wrong word or price
// without an error or a note.

const sizeLimits = { rawBytes: 1_000_000, unpackedBytes: 1_000_000 };
const rules = { currency: 'EUR', now: new Date('2026-06-01') };
const fields = ['id', 'title', 'link', 'availability', 'price'] as const;
const products = [
  ['1', 'Größe L, "blau"', 'https://a.test/1?a=1&b=2', 'in stock', '1,299.00 EUR'],
  ['2', 'Lamp', 'https://a.test/2', 'in stock', '19.90 EUR'],
  ['3', '日本 27"', 'https://a.test/3', 'out of stock', '5.00 EUR'],
];
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const lines = (rows: string[][], delimiter: string) =>
  [[...fields], ...rows].map((row) => row.join(delimiter) + '\n').join('');
const objects = products.map((row) =>
  Object.fromEntries(row.map((value, at) => [fields[at] ?? '', value])),
);
const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
const items = products.map(
  (row) =>
    `<item>${row.map((value, at) => `<${fields[at]}>${escape(value)}</${fields[at]}>`).join('')}</item>\n`,
);

const csv = lines(
  products.map((row) => row.map(quoted)),
  ',',
);
const feeds: [string, Buffer][] = [
  ['CSV', Buffer.from(csv)],
  ['CSV in UTF-16', iconv.encode(csv, 'utf-16le', { addBOM: true })],
  ['CSV in windows-1252', iconv.encode(csv.replace('日本', 'Tür'), 'windows-1252')],
  ['TSV', Buffer.from(lines(products, '\t'))],
  ['XML', Buffer.from(`<rss><channel>${items.join('')}</channel></rss>`)],
  ['JSON', Buffer.from(JSON.stringify({ items: objects }))],
  ['JSON lines', Buffer.from(objects.map((one) => `${JSON.stringify(one)}\n`).join(''))],
];

async function read(bytes: Buffer) {
  const accepted: ImportRow[] = [];
  const issues: string[] = [];
  try {
    const feed = await readFeed(
      (async function* () {
        yield bytes;
      })(),
      { sizeLimits },
    );
    for await (const row of feed.rows) {
      const checked = checkFeedRow(row, rules);
      if (checked.ok) accepted.push(checked.row);
      issues.push(...(checked.ok ? checked.notes : [checked.reason]));
    }
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    issues.push(error.message);
  }
  return { accepted, issues };
}

describe('a feed that is cut off', () => {
  it.each(feeds)(
    'reports an issue for every value that truncation changed: %s',
    async (_name, bytes) => {
      const whole = await read(bytes);
      expect(whole.accepted).toHaveLength(3);
      expect(whole.issues).toEqual([]);
      for (let end = 0; end < bytes.length; end++) {
        const { accepted, issues } = await read(bytes.subarray(0, end));
        const right = whole.accepted.slice(0, accepted.length);
        expect(issues.length > 0 ? right : accepted).toEqual(right);
        // Only the last row may be incomplete.
        expect(accepted.slice(0, -1)).toEqual(right.slice(0, -1));
      }
    },
  );
});

describe('a table with an extra quotation mark', () => {
  it.each(feeds.filter(([name]) => name === 'CSV' || name === 'TSV'))(
    'never merges products silently because of an extra quotation mark in %s',
    async (_name, bytes) => {
      const { accepted: right } = await read(bytes);
      const header = bytes.indexOf('\n') + 1;
      for (let at = header; at < bytes.length; at++) {
        const { accepted, issues } = await read(
          Buffer.concat([bytes.subarray(0, at), Buffer.from('"'), bytes.subarray(at)]),
        );
        expect(accepted.length === right.length || issues.length > 0).toBe(true);
        for (const { title } of accepted) expect(title.match(/https:/g)).toBeNull();
      }
    },
  );
});
