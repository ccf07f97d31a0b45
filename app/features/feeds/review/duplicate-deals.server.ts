import { type RawBuilder, sql } from 'kysely';
import type { DealColumns } from '#app/features/deals/deal-columns.ts';
import { type AuditEntry, writeAudit } from '#app/platform/audit/audit.server.ts';
import type { Db } from '#database/connect.ts';

export type DuplicateDeal = DealColumns<'id' | 'slug' | 'title' | 'sale_price' | 'availability'> & {
  merchant: string;
};

/**
 * Two visible deals with the same GTIN that are not offers of one product, the cheaper first. Only
 * a suggestion.
 */
export interface DuplicatePair {
  gtin: string;
  isSameMerchant: boolean;
  deals: [DuplicateDeal, DuplicateDeal];
}

const mostPairs = 50;

/**
 * Returns the first unreviewed pairs. Pairs within one merchant come before pairs of two merchants.
 */
export async function listDuplicates(db: Db): Promise<DuplicatePair[]> {
  const { rows } = await sql<DuplicatePair>`
    with shared as (
      select gtin from deals
       where gtin is not null and is_active and not is_expired group by gtin having count(*) > 1
    )
    select a.gtin, a.merchant_id = b.merchant_id as "isSameMerchant",
           json_build_array(${dealJson('a')}, ${dealJson('b')}) as deals
      from shared s
      join deals a on a.gtin = s.gtin and a.is_active and not a.is_expired
      join deals b on b.gtin = s.gtin and b.is_active and not b.is_expired
       and (b.sale_price, b.id) > (a.sale_price, a.id)
     where (a.product_id is null or a.product_id is distinct from b.product_id)
       and not exists (select from duplicate_dismissals x
                        where x.deal_id = least(a.id, b.id) and x.other_id = greatest(a.id, b.id))
     order by 2 desc, a.gtin, a.sale_price, a.id, b.sale_price, b.id limit ${mostPairs}`.execute(
    db,
  );
  return rows;
}

function dealJson(alias: 'a' | 'b') {
  const d = sql.ref(alias);
  return sql`json_build_object('id', ${d}.id, 'slug', ${d}.slug, 'title', ${d}.title, 'sale_price', ${d}.sale_price,
    'availability', ${d}.availability, 'merchant', (select name from merchants where id = ${d}.merchant_id))`;
}

/**
 * Hides one of two duplicates; the other is unchanged. Returns `false` if they are not, or no
 * longer, such a pair.
 */
export function hideDuplicate(
  db: Db,
  actor: string,
  hiddenId: number,
  keptId: number,
): Promise<boolean> {
  const hidden = sql`
    update deals h set is_active = false, version = h.version + 1, updated_at = now()
      from deals k
     where h.id = ${hiddenId} and k.id = ${keptId} and h.id <> k.id and h.gtin = k.gtin
       and h.is_active and k.is_active
    returning h.id`;
  const act = { actor, action: 'deal.hide-duplicate', entityId: hiddenId, after: { kept: keptId } };
  return judge(db, hidden, act);
}

/** Marks two deals as different despite their GTIN, so that they are not suggested again. */
export function dismissDuplicate(
  db: Db,
  actor: string,
  oneId: number,
  otherId: number,
): Promise<boolean> {
  const dismissed = sql`
    insert into duplicate_dismissals (deal_id, other_id)
      select least(a.id, b.id), greatest(a.id, b.id) from deals a join deals b on b.gtin = a.gtin and b.id <> a.id
       where a.id = ${oneId} and b.id = ${otherId}
    on conflict do nothing returning deal_id`;
  const act = { actor, action: 'deal.dismiss-duplicate', entityId: oneId };
  return judge(db, dismissed, { ...act, after: { other: otherId } });
}

async function judge(
  db: Db,
  change: RawBuilder<unknown>,
  act: Omit<AuditEntry, 'entity'>,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await change.execute(tx);
    if (rows.length > 0) await writeAudit(tx, { ...act, entity: 'deal' });
    return rows.length > 0;
  });
}
