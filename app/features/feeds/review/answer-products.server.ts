import { sql } from 'kysely';
import type { DealColumns } from '#app/features/deals/deal-columns.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { endProducts } from '../runs/replace-products.server.ts';

/** A deal, and the feed row with its id that may be another product. Prices in minor units. */
export interface ProductQuestion extends DealColumns<
  'id' | 'slug' | 'title' | 'deal_url' | 'brand' | 'sale_price' | 'currency'
> {
  merchant: string;
  row: Pick<ProductQuestion, 'title' | 'deal_url' | 'brand' | 'sale_price' | 'currency'>;
  asked_at: Date;
}

export async function listProductQuestions(db: Db, page: { offset: number; limit: number }) {
  const rows = await ask(db).rows<ProductQuestion>`
    select d.id, d.slug, d.title, d.deal_url, d.brand, d.sale_price, d.currency, m.name as merchant, q.asked_at,
           json_build_object('title', q.title, 'deal_url', q.deal_url, 'brand', q.brand, 'sale_price', q.sale_price, 'currency', q.currency) as row
      from product_questions q join deals d on d.id = q.deal_id join merchants m on m.id = d.merchant_id
     where not q.is_same order by q.asked_at desc, d.id desc limit ${page.limit} offset ${page.offset}`;
  return { total: await countProductQuestions(db), rows };
}

export async function countProductQuestions(db: Db): Promise<number> {
  const row = await ask(db).row<{ n: number }>`
    select count(*) as n from product_questions where not is_same`;
  return row?.n ?? 0;
}

export type ProductAnswer = 'same' | 'other';

/**
 * Decides whether rows are still the products of their deals. `same`: the next import uses the
 * rows. `other`: the deals end now, and the next import creates new ones. If `chosen` is `null`,
 * the decision is for all. Returns the number of decisions, not counting rows that the feed has
 * changed in the meantime.
 */
export async function answerProducts(
  db: Db,
  actor: string,
  answer: ProductAnswer,
  chosen: readonly number[] | null,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const open = await ask(tx).rows<{ deal_id: number; import_run_id: number }>`
      select deal_id, import_run_id from product_questions
       where not is_same and (${chosen}::bigint[] is null or deal_id = any(${chosen}::bigint[]))
       order by deal_id for update`;
    const ids = open.map(({ deal_id }) => deal_id);
    if (ids.length === 0) return 0;
    if (answer === 'same') {
      await sql`update product_questions set is_same = true where deal_id = any(${ids}::bigint[])`.execute(
        tx,
      );
    } else {
      for (const [run, asked] of Map.groupBy(open, ({ import_run_id }) => import_run_id)) {
        const ended = sql`select unnest(${asked.map(({ deal_id }) => deal_id)}::bigint[])`;
        await endProducts(tx, run, ended);
      }
    }
    await writeAudit(tx, {
      actor,
      action: `deal.${answer}-product`,
      entity: 'deal',
      entityId: ids.length === 1 ? ids[0] : null,
      after: { ids },
    });
    return ids.length;
  });
}
