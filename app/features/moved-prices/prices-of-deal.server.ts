import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/** The prices of a deal that one import added. */
export interface MovedPart {
  moveId: number;
  file: string;
  source: string;
  count: number;
  from: string;
  to: string;
}

/** Lists the imported prices of a deal by file and tracker. */
export function listMovedParts(db: Db, dealId: number): Promise<MovedPart[]> {
  return ask(db).rows<MovedPart>`
    select p.move_id as "moveId", m.file_name as file, p.source, count(*)::integer as count, min(p.day) as "from", max(p.day) as "to"
      from moved_prices p join price_moves m on m.id = p.move_id
     where p.deal_id = ${dealId}
     group by p.move_id, m.file_name, p.source order by min(p.day), p.move_id, p.source limit 100`;
}

/** Removes the imported prices of a deal, and returns their number. */
export function removeMovedPrices(db: Db, dealId: number, actor: string): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('moved_prices')
      .where('deal_id', '=', dealId)
      .executeTakeFirst();
    const count = Number(numDeletedRows);
    if (count > 0) {
      await writeAudit(tx, {
        actor,
        action: 'deal.remove-moved-prices',
        entity: 'deal',
        entityId: dealId,
        before: { moved_prices: count },
      });
    }
    return count;
  });
}
