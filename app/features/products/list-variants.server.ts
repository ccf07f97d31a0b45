import { liveScope } from '#app/features/deals/deal-conditions.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

const mostVariants = 50;

/** Returns the other variants of a product with live deals, such as its colours. */
export function listVariants(db: Db, productId: number) {
  return ask(db).rows<{ slug: string; label: string }>`
    select v.slug, coalesce(v.variant_label, v.title) as label
      from products p
      join products v on v.id = coalesce(p.variant_of, p.id) or v.variant_of = coalesce(p.variant_of, p.id)
     where p.id = ${productId} and v.id <> p.id and exists (select from deals where product_id = v.id and ${liveScope})
     order by v.variant_of is not null, v.id limit ${mostVariants}`;
}
