import { readFile } from 'node:fs/promises';
import { checkFeedRow } from '#app/features/feeds/formats/check-feed-row.ts';
import { readFeed } from '#app/features/feeds/formats/read-feed.server.ts';

/**
 * Reads a feed and formats it as the tables in tests do: a line per product, with its values
 * separated by dots, or with its id and the reason why it is rejected.
 */
export async function readFeedTable(file: URL, currency: string, now: Date) {
  const bytes = await readFile(file);
  async function* chunks() {
    yield bytes;
  }
  const sizeLimits = { rawBytes: 1_000_000, unpackedBytes: 1_000_000 };
  const feed = await readFeed(chunks(), { sizeLimits });
  const rules = { currency, now, shop: 'https://shop.example', groupsVariants: true };
  const rows: string[] = [];
  for await (const found of feed.rows) {
    const checked = checkFeedRow(found, rules);
    if (!checked.ok) {
      rows.push(`${checked.external_id}: ${checked.reason}`);
      continue;
    }
    const { row } = checked;
    const cells = [row.external_id, row.title, row.sale_price, row.original_price];
    // Other tests cover entities in links and the format of codes.
    cells.push(row.deal_url.replaceAll('&amp;', '&'), row.image_url, row.availability);
    cells.push(row.category_path.join(' > '), row.brand, row.gtin?.replace(/^0+/, '') ?? null);
    rows.push([...cells, row.condition ?? row.status].map((cell) => cell ?? '').join(' · '));
  }
  return { format: feed.format, rows };
}
