import { sql } from 'kysely';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { isNetworkId, type NetworkId } from './affiliate-networks.ts';
import { matchSales } from './match-sales.server.ts';
import { lockNetwork, planSales, writeSales } from './plan-sales.server.ts';
import type { Sale } from './read-report.server.ts';

interface Upload {
  network: NetworkId;
  fileName: string;
  actor: string;
}

/**
 * Imports the sales of a report. Returns null and records no import if the report changes nothing,
 * for example when uploaded twice.
 */
export async function importSales(
  db: Db,
  { network, fileName, actor }: Upload,
  sales: readonly Sale[],
): Promise<{ id: number; added: number; changed: number } | null> {
  return db.transaction().execute(async (tx) => {
    await lockNetwork(tx, network);
    const planned = await planSales(tx, network, await matchSales(tx, sales));
    const count = (kind: string) => planned.filter(({ effect }) => effect.kind === kind).length;
    const [added, changed] = [count('new'), count('changed')];
    if (added + changed === 0) return null;
    const { id } = await tx
      .insertInto('earning_imports')
      .values({ network, file_name: fileName, added, changed, created_by: actor })
      .returning('id')
      .executeTakeFirstOrThrow();
    await writeSales(tx, network, planned, id);
    const after = { network, added, changed };
    await writeAudit(tx, {
      actor,
      action: 'earning.import',
      entity: 'earning_import',
      entityId: id,
      after,
    });
    return { id, added, changed };
  });
}

export type UndoneImport = { ok: true; sales: number } | { ok: false; reason: string };

/**
 * Undoes an import: added sales are removed and changed ones restored. Sales that a later import
 * also changed keep its values; undoing that import restores the original ones. Changes made by
 * later postbacks are kept.
 */
export function undoSalesImport(db: Db, id: number, actor: string): Promise<UndoneImport> {
  return db.transaction().execute(async (tx) => {
    const found = await tx
      .selectFrom('earning_imports')
      .where('id', '=', id)
      .select(['network', 'added', 'changed'])
      .executeTakeFirst();
    if (!found || !isNetworkId(found.network)) return { ok: false, reason: 'No such import.' };
    // No rows are locked yet, since restored sales refer to earlier imports, which others may be
    // undoing.
    await lockNetwork(tx, found.network);
    const isUndone = await ask(tx).value<boolean>`
      select undone_at is not null from earning_imports where id = ${id}`;
    if (isUndone !== false) return { ok: false, reason: 'This import is already undone.' };
    const changes = await ask(tx).value<number>`
      select count(*)::integer from earning_changes where import_id = ${id}`;
    if (!changes) return { ok: false, reason: 'An import can be undone for 90 days.' };
    await tx
      .updateTable('earning_imports')
      .set({ undone_at: sql`now()`, undone_by: actor })
      .where('id', '=', id)
      .execute();
    await restoreSales(tx, id);
    const { network, added, changed } = found;
    await writeAudit(tx, {
      actor,
      action: 'earning.undo-import',
      entity: 'earning_import',
      entityId: id,
      before: { network, added, changed },
    });
    return { ok: true, sales: changes };
  });
}

async function restoreSales(tx: Db, id: number): Promise<void> {
  const passed = await ask(tx).column<number>`
      with own as (
        select c.earning_id, c.before,
               (select min(later.import_id) from earning_changes later
                 where later.earning_id = c.earning_id and later.import_id > ${id}) as next_import
          from earning_changes c where c.import_id = ${id}
      )
      update earning_changes c set before = own.before from own
       where c.earning_id = own.earning_id and c.import_id = own.next_import
         and (c.before ->> 'import_id')::bigint = ${id}
      returning c.earning_id`;
  await ask(tx).rows`
      update earnings e
         set status = b.status, amount = b.amount, currency = b.currency, day = b.day,
             channel = b.channel, newsletter_id = b.newsletter_id,
             newsletter_link = b.newsletter_link, slot_id = b.slot_id, deal_id = b.deal_id,
             coupon_id = b.coupon_id, clicked_on = b.clicked_on, merchant_id = b.merchant_id,
             category_id = b.category_id, feed_source_id = b.feed_source_id,
             import_id = (select i.id from earning_imports i where i.id = b.import_id),
             updated_at = now()
        from earning_changes c, jsonb_populate_record(null::earnings, c.before) b
       where c.import_id = ${id} and c.before is not null and e.id = c.earning_id
         and e.import_id = ${id} and not e.id = any(${passed}::bigint[])`;
  await ask(tx).rows`
      delete from earnings e using earning_changes c
       where c.import_id = ${id} and c.before is null and e.id = c.earning_id
         and e.import_id = ${id} and not e.id = any(${passed}::bigint[])`;
  await ask(tx).rows`delete from earning_changes where import_id = ${id}`;
}
