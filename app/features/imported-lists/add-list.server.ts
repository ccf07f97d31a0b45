import { mostFavoritesPerUser } from '#app/features/favorites/set-favorite.server.ts';
import { lockOwner } from '#app/features/price-alerts/alert-owner.server.ts';
import {
  armAlert,
  mostAlertsPerOwner,
  readRule,
} from '#app/features/price-alerts/create-alert.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { type ListPlan, targetForm } from './plan-list.server.ts';
import { mostListLines } from './read-listed-lines.server.ts';

/** A deal that a preview offers to add, with the target of its alert in minor units. */
export interface WantedDeal {
  dealId: number;
  target: number | null;
}

/** The ids of the favorites and alerts that a list added, for its undo. */
export interface AddedList {
  favorites: number[];
  alerts: number[];
  /** The number of alerts that fired immediately. */
  fired: number;
}

/**
 * Encodes the new favorites and alerts of a plan as text: `12,13:1999`. Returns `''` if there are
 * none.
 */
export function writeWanted({ found }: ListPlan): string {
  return found
    .filter(({ favorite, alert }) => favorite.adds || (alert?.target ?? null) !== null)
    .map(({ deal, alert }) => [deal.id, alert?.target ?? []].flat().join(':'))
    .join(',');
}

/** Parses the result of `writeWanted`. Returns `null` for any other text. */
export function parseWanted(text: string): WantedDeal[] | null {
  const parts = text.split(',');
  if (parts.length > mostListLines) return null;
  const read = parts.map((part) => /^(\d{1,15})(?::(\d{1,10}))?$/.exec(part));
  if (read.includes(null)) return null;
  return read.map((found) => ({
    dealId: Number(found?.[1]),
    target: found?.[2] === undefined ? null : Number(found[2]),
  }));
}

/**
 * Adds favorites and alerts, and returns those that are new. Existing ones are left unchanged, so
 * importing a list twice has no effect.
 */
export function addList(
  db: Db,
  userId: string,
  wanted: readonly WantedDeal[],
  currency: string,
): Promise<AddedList> {
  return db.transaction().execute(async (tx) => {
    await lockOwner(tx, { userId });
    const ids = wanted.map(({ dealId }) => dealId);
    const added: AddedList = {
      favorites: await addFavorites(tx, userId, ids),
      alerts: [],
      fired: 0,
    };
    const watched = new Set(
      await ask(tx).column<number>`
        select deal_id from price_alerts where user_id = ${userId} and kind = 'target'`,
    );
    const targets = wanted.filter(({ dealId, target }) => target !== null && !watched.has(dealId));
    for (const { dealId, target } of targets.slice(0, mostAlertsPerOwner)) {
      if (watched.has(dealId)) continue;
      watched.add(dealId);
      const read = await readRule(tx, dealId, targetForm(target ?? 0, currency), currency);
      const armed = read.ok ? await armAlert(tx, { userId }, dealId, read.rule) : read;
      if (!armed.ok) continue;
      added.alerts.push(armed.id);
      if (armed.hasFired) added.fired++;
    }
    return added;
  });
}

function addFavorites(tx: Tx, userId: string, dealIds: readonly number[]): Promise<number[]> {
  return ask(tx).column<number>`
    insert into user_favorites (user_id, deal_id, kept_price)
    select ${userId}, d.id, case when m.keep_history and d.availability <> 'out_of_stock' then d.sale_price end
      from unnest(${dealIds}::bigint[]) with ordinality wanted (id, place)
      join deals d on d.id = wanted.id join merchants m on m.id = d.merchant_id
     where d.is_active and not exists (select from user_favorites where user_id = ${userId} and deal_id = d.id)
     order by wanted.place
     limit greatest(0, ${mostFavoritesPerUser} - (select count(*) from user_favorites where user_id = ${userId}))
    on conflict (user_id, deal_id) do nothing returning id`;
}

/** Deletes the favorites and alerts that a list added, and returns their numbers. */
export async function undoListImport(
  db: Db,
  userId: string,
  { favorites, alerts }: Pick<AddedList, 'favorites' | 'alerts'>,
): Promise<{ favorites: number; alerts: number }> {
  const row = await ask(db).row<{ favorites: number; alerts: number }>`
    with favorites as (
      delete from user_favorites where user_id = ${userId} and id = any(${favorites}::bigint[]) returning 1),
    alerts as (
      delete from price_alerts where user_id = ${userId} and id = any(${alerts}::bigint[]) returning 1)
    select (select count(*) from favorites)::integer as favorites, (select count(*) from alerts)::integer as alerts`;
  return row ?? { favorites: 0, alerts: 0 };
}
