import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#database/connect.ts';

/**
 * What hangs on a deal besides the tables that `delete_deals` knows: they came later. A deleted deal's rows are kept in
 * its snapshot and put back by `restoreHangingRows`; a test walks the foreign keys and names a table that is missing.
 */
interface HangingTable {
  name: string;
  /** Which rows `t` hang on the deal of this id. */
  hangsOn: (dealId: RawBuilder<unknown>) => RawBuilder<boolean>;
  /** Whether what the row `kept` (JSON) names besides the deal is still there. */
  isWhole: RawBuilder<boolean>;
}

const byDealId = (id: RawBuilder<unknown>) => sql<boolean>`t.deal_id = ${id}`;
const hasRow = (table: string, column: string) => sql<boolean>`exists (
  select from ${sql.table(table)} other where other.id = (kept ->> ${sql.lit(column)})::bigint)`;

const hangingTables: readonly HangingTable[] = [
  { name: 'deal_price_checks', hangsOn: byDealId, isWhole: sql`true` },
  { name: 'import_changes', hangsOn: byDealId, isWhole: hasRow('import_runs', 'import_run_id') },
  { name: 'import_endings', hangsOn: byDealId, isWhole: hasRow('import_runs', 'import_run_id') },
  {
    name: 'duplicate_dismissals',
    hangsOn: (id) => sql`${id} in (t.deal_id, t.other_id)`,
    isWhole: sql`${hasRow('deals', 'deal_id')} and ${hasRow('deals', 'other_id')}`,
  },
  {
    name: 'push_outbox',
    hangsOn: (id) => sql`t.event_id in (
      select e.id from price_alert_events e join price_alerts a on a.id = e.alert_id where a.deal_id = ${id})`,
    isWhole: sql`${hasRow('push_subscriptions', 'subscription_id')} and ${hasRow('price_alert_events', 'event_id')}`,
  },
  {
    name: 'webhook_deliveries',
    hangsOn: byDealId,
    isWhole: sql`${hasRow('webhook_endpoints', 'endpoint_id')}
      and (kept ->> 'alert_id' is null or ${hasRow('price_alerts', 'alert_id')})`,
  },
];

/** By deal: what `keepHangingRows` adds to its snapshot. Called before the deals are deleted. */
export async function readHangingRows(tx: Tx, ids: number[]): Promise<string> {
  const tables = hangingTables.map(
    ({ name, hangsOn }) => sql`${sql.lit(name)}, (
      select coalesce(jsonb_agg(to_jsonb(t)), '[]') from ${sql.table(name)} t where ${hangsOn(sql`d.id`)})`,
  );
  const { rows } = await sql<{ kept: string }>`
    select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'rows', jsonb_build_object(${sql.join(tables)}))), '[]')::text as kept
      from deals d where d.id = any(${ids}::bigint[])`.execute(tx);
  return rows[0]?.kept ?? '[]';
}

export async function keepHangingRows(tx: Tx, batch: string, kept: string): Promise<void> {
  await sql`
    update deleted_deals set snapshot = snapshot || (one -> 'rows')
      from jsonb_array_elements(${kept}::jsonb) one
     where batch = ${batch}::uuid and deal_id = (one ->> 'id')::bigint`.execute(tx);
}

/**
 * In place of what the coming back has made: triggers take a restored deal for a new one and its old alerts for just
 * fired, and would tell browsers and webhooks of them again.
 */
export async function restoreHangingRows(tx: Tx, deletedId: number, dealId: number): Promise<void> {
  for (const { name, hangsOn, isWhole } of hangingTables) {
    await sql`delete from ${sql.table(name)} t where ${hangsOn(sql`${dealId}::bigint`)}`.execute(
      tx,
    );
    await sql`
      select restore_rows(${sql.lit(name)}::regclass, (
        select jsonb_agg(kept) from jsonb_array_elements(snapshot -> ${sql.lit(name)}) kept where ${isWhole}))
        from deleted_deals where id = ${deletedId}`.execute(tx);
  }
}
