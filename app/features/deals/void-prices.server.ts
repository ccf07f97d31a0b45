import { sql } from 'kysely';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { PriceSource } from '#database/schema/catalog-tables.ts';

// A mistaken entry in the price log is voided: it remains, with the user and the reason, but is
// ignored.

/** The user who changes prices manually, and the deals, which are locked. */
interface PriceAct {
  actor: string;
  ids: readonly number[];
}

/** The user who voids prices, and the reason. */
interface VoidAct {
  actor: string;
  reason: string;
}

export type VoidPriceResult =
  | { ok: true }
  | { ok: false; reason: 'not-found' | 'already-voided' | 'needs-price' | 'same-price' };

/**
 * Changes prices manually. If the former price was typed less than an hour ago, it was a mistake
 * and its entry is voided.
 */
export async function correctPrices(
  tx: Db,
  { actor, ids }: PriceAct,
  change: () => Promise<unknown>,
): Promise<void> {
  const act = { actor, reason: 'Corrected within the hour' };
  await replacePrices(tx, await findTyped(tx, ids), act, change);
}

/**
 * Restores former prices. The mistaken entries are voided, and the alerts that they fired are
 * re-armed.
 */
export async function undoPrices(
  tx: Db,
  { actor, ids }: PriceAct,
  putBack: () => Promise<unknown>,
): Promise<void> {
  await signStaff(tx);
  const lines = await findTyped(tx, ids);
  await takeBackPrices(tx, lines, { actor, reason: 'Undone' }, putBack);
  await sql`select settle_prices(${ids}::bigint[])`.execute(tx);
}

/**
 * Voids log entries, then runs the action that restores the former prices. Alerts do not treat the
 * restored prices as drops. A price is logged only if it differs from the last entry that is not
 * voided.
 */
export async function takeBackPrices(
  tx: Db,
  lines: readonly number[],
  act: VoidAct,
  putBack: () => Promise<unknown>,
): Promise<void> {
  const deals = await voidLines(tx, lines, act);
  await sql`select set_config('app.undoes_import', 'on', true)`.execute(tx);
  await putBack();
  await sql`select settle_prices(${deals}::bigint[])`.execute(tx);
  await armAlerts(tx, lines);
  await sql`select set_config('app.undoes_import', '', true)`.execute(tx);
}

/**
 * Voids the entries of current prices and changes those prices. In between, deals have their former
 * prices, so that alerts are re-armed. The alerts are then compared with the new price, as if the
 * voided one had never existed.
 */
async function replacePrices(
  tx: Db,
  lines: readonly number[],
  act: VoidAct,
  change: () => Promise<unknown>,
): Promise<void> {
  await signStaff(tx);
  if (lines.length === 0) {
    await change();
    return;
  }
  const earlier = await ask(tx).column<number>`
    select l.id from price_log l where l.id = any(${lines}::bigint[]) and l.currency = site_currency() and exists (
      select from valid_prices o where o.deal_id = l.deal_id and o.id <> l.id) order by l.id`;
  await takeBackPrices(tx, earlier, act, () =>
    sql`update deals d set sale_price = former.sale_price
          from (select distinct deal_id as id from price_log where id = any(${earlier}::bigint[])) o cross join lateral (
            select sale_price from valid_prices l where l.deal_id = o.id order by l.at desc, l.id desc limit 1) former
         where d.id = o.id`.execute(tx),
  );
  // Deals whose only price in this currency was the mistake have no former price.
  const first = lines.filter((line) => !earlier.includes(line));
  await voidLines(tx, first, act);
  await change();
  await armAlerts(tx, first);
}

/**
 * Voids one entry of a deal's price log. Voiding the current price requires the correct price in
 * the same step. Pages must not show a voided price. `price` is in minor units.
 */
export async function voidPrice(
  db: Db,
  {
    actor,
    dealId,
    lineId,
    reason,
    price = null,
  }: VoidAct & { dealId: number; lineId: number; price?: number | null },
): Promise<VoidPriceResult> {
  return db.transaction().execute(async (tx): Promise<VoidPriceResult> => {
    await sql`select from deals where id = ${dealId} for update`.execute(tx);
    const line = await ask(tx).row<{
      sale_price: number;
      currency: string;
      isVoided: boolean;
      isPresent: boolean;
    }>`
      select l.sale_price, l.currency, exists (select from price_voids v where v.line_id = l.id) as "isVoided",
             l.id = (select p.id from valid_prices p where p.deal_id = l.deal_id order by p.at desc, p.id desc limit 1) as "isPresent"
        from price_log l where l.id = ${lineId} and l.deal_id = ${dealId}`;
    if (!line) return { ok: false, reason: 'not-found' };
    if (line.isVoided) return { ok: false, reason: 'already-voided' };
    const act = { actor, reason };
    const entry = { actor, entity: 'deal', entityId: dealId };
    if (!line.isPresent) {
      await voidLines(tx, [lineId], act);
      await armAlerts(tx, [lineId]);
      const after = { sale_price: line.sale_price, currency: line.currency, reason };
      await writeAudit(tx, { ...entry, action: 'deal.void-price', after });
      return { ok: true };
    }
    if (price === null) return { ok: false, reason: 'needs-price' };
    if (price === line.sale_price) return { ok: false, reason: 'same-price' };
    await replacePrices(tx, [lineId], act, () =>
      sql`update deals set sale_price = ${price}, price_source = 'admin', version = version + 1, updated_at = now()
           where id = ${dealId}`.execute(tx),
    );
    const before = { sale_price: line.sale_price };
    const after = { sale_price: price, reason };
    await writeAudit(tx, { ...entry, action: 'deal.replace-price', before, after });
    return { ok: true };
  });
}

/** An entry of a deal's price log as staff see it. Prices in minor units. */
export interface LoggedPrice {
  id: number;
  at: Date;
  sale_price: number;
  currency: string;
  source: PriceSource;
  /** The time, user and reason of the void, or `null` if the entry is valid. */
  voided: { at: string; by: string; reason: string } | null;
}

const mostLines = 100;

/** Returns the newest entries of a deal's price log, including voided ones. */
export function listLoggedPrices(db: Db, dealId: number): Promise<LoggedPrice[]> {
  return ask(db).rows<LoggedPrice>`
    select l.id, l.at, l.sale_price, l.currency, l.source,
           case when v.line_id is not null then json_build_object(
             'at', v.voided_at, 'by', coalesce(u.full_name, 'a former colleague'), 'reason', v.reason) end as voided
      from (select * from price_log where deal_id = ${dealId} order by at desc, id desc limit ${mostLines}) l
      left join price_voids v on v.line_id = l.id
      left join users u on u.id = v.actor
     order by l.at desc, l.id desc`;
}

/**
 * Returns the log entries of current prices that staff typed in the last hour in the site's current
 * currency.
 */
function findTyped(tx: Db, ids: readonly number[]): Promise<number[]> {
  return ask(tx).column<number>`
    select l.id from deals d cross join lateral (
        select * from valid_prices p where p.deal_id = d.id order by p.at desc, p.id desc limit 1) l
     where d.id = any(${ids}::bigint[]) and l.source = 'admin' and l.sale_price = d.sale_price
       and l.currency = site_currency() and l.at > now() - interval '1 hour' order by l.id`;
}

/** Marks the transaction as an edit by staff, which delays alert emails to allow an undo. */
async function signStaff(tx: Db): Promise<void> {
  await sql`select set_config('app.staff_price', 'on', true)`.execute(tx);
}

async function armAlerts(tx: Db, lines: readonly number[]): Promise<void> {
  await sql`select arm_voided_alerts(${lines}::bigint[])`.execute(tx);
}

/** Voids entries and returns their deals. */
async function voidLines(
  tx: Db,
  lines: readonly number[],
  { actor, reason }: VoidAct,
): Promise<number[]> {
  if (lines.length === 0) return [];
  const deals = await ask(tx).column<number>`
    insert into price_voids (line_id, deal_id, actor, reason)
      select id, deal_id, ${actor}, ${reason} from price_log l
       where id = any(${lines}::bigint[]) and not exists (select from price_voids v where v.line_id = l.id) order by id
    returning deal_id`;
  return [...new Set(deals)];
}
