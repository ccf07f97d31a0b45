import { sql } from 'kysely';
import type { DealColumns } from './deal-columns.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';

/** A price drop of more than 90% that is held for review. Prices are in minor units. */
export interface HeldPrice extends DealColumns<
  'id' | 'slug' | 'title' | 'deal_url' | 'sale_price' | 'currency'
> {
  merchant: string;
  held_price: number;
  held_at: Date;
}

export async function listHeldPrices(
  db: Db,
  page: { offset: number; limit: number },
): Promise<{ total: number; rows: HeldPrice[] }> {
  const { rows } = await sql<HeldPrice>`
    select d.id, d.slug, d.title, m.name as merchant, d.deal_url, d.sale_price, d.currency, d.held_price, d.held_at
      from deals d join merchants m on m.id = d.merchant_id
     where d.held_price is not null order by d.held_at desc, d.id desc
     limit ${page.limit} offset ${page.offset}`.execute(db);
  return { total: await countHeldPrices(db), rows };
}

export async function countHeldPrices(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from deals where held_price is not null`.execute(db);
  return rows[0]?.n ?? 0;
}

type Answer = 'approve' | 'refuse';

/**
 * Approves or rejects a held price. An approved one becomes a normal price: logged and checked
 * against alerts. After a rejection the old price stays, and the same price from the feed is not
 * held again. Returns `false` if the deal no longer has this held price.
 */
export async function decideHeldPrice(
  db: Db,
  actor: string,
  answer: Answer,
  dealId: number,
  heldPrice: number,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('deals')
      .select('sale_price')
      .where('id', '=', dealId)
      // The price is compared as bigint, so that a number too large for a price matches nothing
      // instead of failing.
      .where('held_price', '=', sql<number>`${heldPrice}::bigint`)
      .forUpdate()
      .executeTakeFirst();
    if (!before) return false;
    await write(tx, answer, [dealId]);
    const act = { actor, action: `deal.${answer}-price`, entity: 'deal', entityId: dealId };
    await writeAudit(tx, { ...act, before, after: { held_price: heldPrice } });
    return true;
  });
}

async function write(tx: Tx, answer: Answer, ids: number[]): Promise<void> {
  const given =
    answer === 'approve'
      ? sql`sale_price = held_price, price_checked_at = greatest(price_checked_at, held_at), refused_price = null, price_source = 'feed'`
      : sql`refused_price = held_price`;
  await sql`
    update deals set ${given}, held_price = null, held_at = null, updated_at = now(), version = version + 1
     where id = any(${ids}::bigint[]) and held_price is not null`.execute(tx);
}

/**
 * Approves or rejects the held prices of locked deals. A price that the feed sent after `seen`
 * remains held.
 */
export async function decideHeldPrices(
  tx: Tx,
  { actor, answer, seen }: { actor: string; answer: Answer; seen: string },
  ids: number[],
): Promise<{ ids: number[]; changedMeanwhile: number[] }> {
  const held = await ask(tx).rows<{
    id: number;
    sale_price: number;
    held_price: number;
    isNewer: boolean;
  }>`
    select id, sale_price, held_price, held_at > ${seen}::timestamptz as "isNewer" from deals
     where id = any(${ids}::bigint[]) and held_price is not null order by id`;
  const decided = held.filter(({ isNewer }) => !isNewer);
  const done = decided.map(({ id }) => id);
  const changedMeanwhile = held.filter(({ isNewer }) => isNewer).map(({ id }) => id);
  if (done.length === 0) return { ids: done, changedMeanwhile };
  await write(tx, answer, done);
  const [was, will] = [
    Object.fromEntries(decided.map((deal) => [deal.id, deal.sale_price])),
    Object.fromEntries(decided.map((deal) => [deal.id, deal.held_price])),
  ];
  await writeAudit(tx, {
    actor,
    action: `deal.${answer}-prices`,
    entity: 'deal',
    entityId: done.length === 1 ? done[0] : null,
    before: { values: answer === 'approve' ? { sale_price: was } : { held_price: will } },
    after: {
      ids: done,
      values: answer === 'approve' ? { sale_price: will } : { held_price: {} },
    },
  });
  return { ids: done, changedMeanwhile };
}
