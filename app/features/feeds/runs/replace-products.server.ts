import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { runCurrency } from './import-plan-queries.server.ts';
import { changesOf, type PlanPart, type PlanTarget } from './write-plan-queries.server.ts';

/**
 * Ends the deals whose ids these rows use for other products, and frees the ids for new deals. The
 * old deals keep their price logs. Returns how many of them were live.
 */
export async function endReplaced(
  tx: Db,
  { after, upTo }: PlanPart,
  to: PlanTarget,
): Promise<number> {
  return endProducts(
    tx,
    to.runId,
    sql`
    select p.replaces from pg_temp.import_plan p join deals o on o.id = p.replaces and o.external_id = p.external_id
     where p.seq > ${after} and p.seq <= ${upTo}`,
  );
}

/** Ends deals whose id now refers to another product. A rollback of the run restores the ids. */
export async function endProducts(tx: Db, runId: number, ids: RawBuilder<unknown>) {
  const rows = await ask(tx).rows<{ was_live: boolean }>`
    with locked as materialized (
      select d.id, d.version, d.is_active and not d.is_expired as was_live, ${changesOf('d')} as before
        from deals d where d.id in (${ids}) order by d.id for update
    ), ended as (
      update deals d
         set external_id = null, held_price = null, held_at = null,
             expires_at = case when d.is_expired then d.expires_at else now() end, version = d.version + 1, updated_at = now()
        from locked l where d.id = l.id returning d.id, d.version
    ), kept as (
      insert into import_changes (import_run_id, deal_id, kind, before, version_before, version_after)
        select ${runId}::bigint, e.id, 'ended', l.before, l.version, e.version from ended e join locked l using (id)
      -- A deal already changed by this run keeps its state from before the first change.
      on conflict (import_run_id, deal_id) do update set version_after = excluded.version_after
    ), answered as (
      delete from product_questions q using locked l where q.deal_id = l.id
    )
    select was_live from locked`;
  return rows.filter((row) => row.was_live).length;
}

/**
 * Gives deals that were identified by their link the ids that their feed now has. The plan is
 * updated, so that these deals do not count as missing.
 */
export async function renameProducts(
  tx: Db,
  { after, upTo }: PlanPart,
  { merchantId }: PlanTarget,
): Promise<void> {
  await sql`
    with renamed as (
      update deals d set external_id = p.becomes from pg_temp.import_plan p
       where p.seq > ${after} and p.seq <= ${upTo} and p.becomes is not null
         and d.merchant_id = ${merchantId} and d.external_id = p.external_id
      returning p.seq)
    update pg_temp.import_plan p set external_id = p.becomes from renamed r where r.seq = p.seq`.execute(
    tx,
  );
}

/** Deletes the questions that this part of the feed answers. */
export async function settleProducts(tx: Db, { after, upTo }: PlanPart): Promise<void> {
  await sql`
    delete from product_questions q using pg_temp.import_plan p
     where p.seq > ${after} and p.seq <= ${upTo} and q.deal_id = p.deal_id and p.action <> 'doubtful'`.execute(
    tx,
  );
}

/** Records which rows may be a different product than their deal. */
export async function askAboutProducts(
  tx: Db,
  { after, upTo }: PlanPart,
  to: PlanTarget,
): Promise<void> {
  await sql`
    insert into product_questions as q (deal_id, import_run_id, title, deal_url, brand, gtin, sale_price, currency)
      select d.id, ${to.runId}::bigint, r.title, r.deal_url, r.brand, r.gtin, r.sale_price, ${runCurrency}
        from pg_temp.import_plan p join pg_temp.import_rows r on r.n = p.n join deals d on d.id = p.deal_id
       where p.seq > ${after} and p.seq <= ${upTo} and p.action = 'doubtful'
       order by d.id
    on conflict (deal_id) do update
      set (import_run_id, title, deal_url, brand, gtin, sale_price, currency, is_same, asked_at) =
          (excluded.import_run_id, excluded.title, excluded.deal_url, excluded.brand, excluded.gtin, excluded.sale_price, excluded.currency, false,
           case when (q.title, q.deal_url) = (excluded.title, excluded.deal_url) then q.asked_at else now() end)`.execute(
    tx,
  );
}
