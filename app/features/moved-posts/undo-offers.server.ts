import { randomUUID } from 'node:crypto';
import { deleteDeals } from '#app/features/deals/delete-deals.server.ts';
import { keepDeleted } from '#app/platform/trash/keep-deleted.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';

interface Unchanged {
  kind: 'deal' | 'coupon';
  id: number;
  title: string;
}

/** Moves unchanged deals and coupons to the trash. */
export async function deleteOffers(
  tx: Tx,
  items: readonly Unchanged[],
  actor: string,
): Promise<void> {
  const ids = items.filter(({ kind }) => kind === 'deal').map(({ id }) => id);
  if (ids.length > 0) await deleteDeals(tx, { ids, batch: randomUUID(), actor });
  for (const { kind, id, title: name } of items) {
    if (kind !== 'coupon') continue;
    await keepDeleted(tx, { table: 'coupons', entity: 'coupon', id, name, actor });
    await ask(tx).rows`delete from coupons where id = ${id}`;
  }
}

/** Moves merchants and categories that an import added to the trash, if nothing uses them. */
export async function deleteMade(tx: Db, moveId: number, actor: string): Promise<void> {
  const merchants = await ask(tx).rows<{ id: number; name: string }>`
    select m.id, m.name from post_moves v, jsonb_array_elements(v.made -> 'merchants') made (id)
      join merchants m on m.id = made.id::bigint
     where v.id = ${moveId} and m.version = 1
       and not exists (select from deals where merchant_id = m.id)
       and not exists (select from coupons where merchant_id = m.id)
       and not exists (select from feed_sources where merchant_id = m.id)
       and not exists (select from watched_searches where merchant_id = m.id)`;
  for (const { id, name } of merchants) {
    await keepDeleted(tx, { table: 'merchants', entity: 'merchant', id, name, actor });
    await ask(tx).rows`delete from merchants where id = ${id}`;
  }
  const categories = await ask(tx).rows<{ id: number; name: string }>`
    select c.id, c.name from post_moves v, jsonb_array_elements(v.made -> 'categories') made (id)
      join categories c on c.id = made.id::bigint
     where v.id = ${moveId} and c.version = 1
       and not exists (select from deals where category_id = c.id)
       and not exists (select from feed_sources where fallback_category_id = c.id)
       and not exists (select from slots where category_id = c.id)
       and not exists (select from watched_searches where category_id = c.id)`;
  for (const { id, name } of categories) {
    await keepDeleted(tx, { table: 'categories', entity: 'category', id, name, actor });
    await ask(tx).rows`delete from categories where id = ${id}`;
  }
}
