import { sql } from 'kysely';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { PriceSource } from '#database/schema/catalog-tables.ts';

// A line of the price log that was a slip is voided: it stays, says who voided it and why, and counts for nothing (decision 083).

/** The deals whose prices staff change. They are locked. */
interface PriceAct {
  actor: string;
  ids: readonly number[];
}

export type VoidPriceResult =
  | { ok: true; armed: number }
  | { ok: false; reason: 'not-found' | 'already-voided' | 'is-present' };

/** Changes prices by hand. A price that was typed less than an hour ago was a slip: its line is voided. */
export async function correctPrices(
  tx: Db,
  { actor, ids }: PriceAct,
  change: () => Promise<unknown>,
): Promise<void> {
  const lines = await findTyped(tx, ids);
  await signStaff(tx);
  await change();
  const corrected = await ask(tx).column<number>`
    select l.id from price_log l join deals d on d.id = l.deal_id
     where l.id = any(${lines}::bigint[]) and l.sale_price <> d.sale_price order by l.id`;
  await voidLines(tx, corrected, { actor, reason: 'Corrected within the hour' });
}

/** Puts former prices back: the lines of the mistake are voided, and alerts that fired at it are armed again. */
export async function undoPrices(
  tx: Db,
  { actor, ids }: PriceAct,
  putBack: () => Promise<unknown>,
): Promise<void> {
  const lines = await findTyped(tx, ids);
  await voidLines(tx, lines, { actor, reason: 'Undone' });
  // What comes down only undoes a mistake: it is no drop to an alert that waits for one.
  await sql`select set_config('app.undoes_import', 'on', true)`.execute(tx);
  await signStaff(tx);
  await putBack();
  await sql`select settle_prices(${ids}::bigint[])`.execute(tx);
  await sql`select arm_voided_alerts(${lines}::bigint[])`.execute(tx);
}

/** Voids one line of a deal's price log. The line of the present price counts until the deal has another one. */
export async function voidPrice(
  db: Db,
  {
    actor,
    dealId,
    lineId,
    reason,
  }: { actor: string; dealId: number; lineId: number; reason: string },
): Promise<VoidPriceResult> {
  return db.transaction().execute(async (tx): Promise<VoidPriceResult> => {
    await sql`select from deals where id = ${dealId} for update`.execute(tx);
    const line = await ask(tx).row<{ sale_price: number; isVoided: boolean; isPresent: boolean }>`
      select l.sale_price, exists (select from price_voids v where v.line_id = l.id) as "isVoided",
             l.id = (select p.id from valid_prices p where p.deal_id = l.deal_id order by p.at desc, p.id desc limit 1) as "isPresent"
        from price_log l where l.id = ${lineId} and l.deal_id = ${dealId}`;
    if (!line) return { ok: false, reason: 'not-found' };
    if (line.isVoided) return { ok: false, reason: 'already-voided' };
    if (line.isPresent) return { ok: false, reason: 'is-present' };
    await voidLines(tx, [lineId], { actor, reason });
    const armed = await ask(tx).value<number>`select arm_voided_alerts(${[lineId]}::bigint[])`;
    await writeAudit(tx, {
      actor,
      action: 'deal.void-price',
      entity: 'deal',
      entityId: dealId,
      after: { sale_price: line.sale_price, reason },
    });
    return { ok: true, armed: armed ?? 0 };
  });
}

/** A line of a deal's price log as staff see it. Prices in minor units. */
export interface LoggedPrice {
  id: number;
  at: Date;
  sale_price: number;
  source: PriceSource;
  /** When, by whom and why it was voided; null where it counts. */
  voided: { at: string; by: string; reason: string } | null;
}

const mostLines = 100;

/** The newest lines of a deal's price log, voided ones too. */
export function listLoggedPrices(db: Db, dealId: number): Promise<LoggedPrice[]> {
  return ask(db).rows<LoggedPrice>`
    select l.id, l.at, l.sale_price, l.source,
           case when v.line_id is not null then json_build_object(
             'at', v.voided_at, 'by', coalesce(u.full_name, 'a former colleague'), 'reason', v.reason) end as voided
      from (select * from price_log where deal_id = ${dealId} order by at desc, id desc limit ${mostLines}) l
      left join price_voids v on v.line_id = l.id
      left join users u on u.id = v.actor
     order by l.at desc, l.id desc`;
}

/** The line of each deal's present price, where staff typed it less than an hour ago. */
function findTyped(tx: Db, ids: readonly number[]): Promise<number[]> {
  return ask(tx).column<number>`
    select l.id from deals d cross join lateral (
        select * from valid_prices p where p.deal_id = d.id order by p.at desc, p.id desc limit 1) l
     where d.id = any(${ids}::bigint[]) and l.source = 'admin' and l.sale_price = d.sale_price
       and l.at > now() - interval '1 hour' order by l.id`;
}

/** Mails that alerts of this transaction cause wait for an undo. */
async function signStaff(tx: Db): Promise<void> {
  await sql`select set_config('app.staff_price', 'on', true)`.execute(tx);
}

async function voidLines(
  tx: Db,
  lines: readonly number[],
  { actor, reason }: { actor: string; reason: string },
): Promise<void> {
  if (lines.length === 0) return;
  await sql`
    insert into price_voids (line_id, deal_id, actor, reason)
      select id, deal_id, ${actor}, ${reason} from price_log where id = any(${lines}::bigint[]) order by id`.execute(
    tx,
  );
}
