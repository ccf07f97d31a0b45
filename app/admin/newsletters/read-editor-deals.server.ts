import { listDealsByIds } from '#app/features/deals/deal-list-queries.server.ts';
import { namedDeals } from '#app/features/newsletter/write-newsletter.server.ts';
import type { EditorDeal } from '#app/admin/editor/editor-deals.ts';
import type { Db } from '#database/connect.ts';
import { editorDeal } from './editor-deal.ts';

/** Returns the deals in a newsletter, including deleted ones. */
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
