import { dealsTable } from '#app/features/deals/deals-table.ts';
import { listManagedDeals } from '#app/features/deals/managed-deal-queries.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { parseTableQuery } from '#app/platform/table-query.ts';
import { listDealsByIds } from '#app/features/deals/deal-list-queries.server.ts';
import { namedDeals } from '#app/features/blog/content-deals.ts';
import type { EditorDeal } from './editor-deals.ts';
import type { Db } from '#database/connect.ts';
import { editorDeal } from './editor-deal.ts';

/** Returns the deals in post content, including deleted ones. */
export async function readEditorDeals(
  db: Db,
  content: string,
  currency: string,
): Promise<EditorDeal[]> {
  const named = namedDeals(content);
  const found = await listDealsByIds(
    db,
    named.map(({ id }) => id),
  );
  const byId = new Map(found.map((deal) => [deal.id, deal]));
  return named.map(({ id, title }) => {
    const deal = byId.get(id);
    if (deal) {
      return editorDeal({ ...deal, merchant: deal.merchant.name }, currency, deal.is_expired);
    }
    const note = 'It is no longer on the site, so readers will not see it.';
    return { id, title, note, picture: null, isLost: true };
  });
}

const mostFound = 8;

/** Returns live deals that match a URL's `?q=`, or the newest ones if it is empty. */
export async function findEditorDeals(db: Db, address: string): Promise<{ deals: EditorDeal[] }> {
  const q = new URL(address).searchParams.get('q') ?? '';
  const asked = new URLSearchParams({ status: 'active', q });
  const [{ rows }, { currency }] = await Promise.all([
    listManagedDeals(db, parseTableQuery(dealsTable, asked)),
    readSiteSettings(db),
  ]);
  return { deals: rows.slice(0, mostFound).map((deal) => editorDeal(deal, currency, false)) };
}
