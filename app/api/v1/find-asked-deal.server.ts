import {
  type DealDetail,
  findDealById,
  findDealBySlug,
  findDealRedirect,
} from '#app/features/deals/deal-queries.server.ts';
import { apiRoot } from '#app/features/public-api/api-operations.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import type { Db } from '#database/connect.ts';

type AskedDeal =
  | { ok: true; deal: DealDetail }
  | { ok: false; status: 404; detail: string }
  | { ok: false; status: 301; location: string };

/** The active deal that an address names by id or slug; `rest` is what follows the name in it. */
export async function findAskedDeal(db: Db, key: string, rest = ''): Promise<AskedDeal> {
  const id = parseRowId(key);
  const deal = (id === null ? null : await findDealById(db, id)) ?? (await findDealBySlug(db, key));
  if (deal) return { ok: true, deal };
  const slug = await findDealRedirect(db, key);
  if (slug !== null) {
    return { ok: false, status: 301, location: `${apiRoot}/deals/${slug}${rest}` };
  }
  return { ok: false, status: 404, detail: 'No active deal has this id or slug.' };
}
