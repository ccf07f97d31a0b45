import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { inBatches } from '#database/in-batches.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { CurrencyChange, CurrencyProgress } from './describe-currency-change.ts';
import {
  lockSettings,
  readSiteSettings,
  writeSiteSetting,
} from './site-settings-queries.server.ts';

/** deals; up to this many are hidden in the request, and a job hides more in batches */
const mostInRequest = 1_000;

/**
 * Returns the effects of a change. Returns `null` before the first deal, when a change has no
 * effects.
 */
export async function previewCurrencyChange(db: Db, to: string): Promise<CurrencyChange | null> {
  const change = await ask(db).row<CurrencyChange & { hasDeals: boolean }>`
    select site_currency() as "from", ${to}::text as "to",
           exists (select from deals) as "hasDeals",
           (select count(*) from deals where is_active and not is_expired and currency <> ${to}) as waiting,
           (select count(*) from deals where waits_for_price and currency = ${to}) as returning,
           count(a.*) as alerts, count(distinct coalesce(a.user_id, a.watcher_id::text)) as owners
      from price_alerts a where a.is_active and a.currency <> ${to}`;
  if (!change || change.from === to) return null;
  const { hasDeals, ...consequences } = change;
  return hasDeals ? consequences : null;
}

/** Returns the running change, with the number of deals still to hide. */
export function findCurrencyChange(db: Db): Promise<CurrencyProgress | null> {
  return ask(db).row<CurrencyProgress>`
    select site_currency() as "from", value #>> '{}' as "to",
           (select value from site_counters where name = 'active_deals') as "left"
      from site_settings where name = 'nextCurrency' and value #>> '{}' <> ''`;
}

/**
 * Changes the currency directly, or on a large site through the job, which first hides the live
 * deals. Until then, pages show the former currency. Returns whether the change is done.
 */
export async function askForCurrency(
  tx: Tx,
  change: { from: string; to: string; actor: string },
  most = mostInRequest,
): Promise<boolean> {
  const count = await ask(tx).value<number>`
    select count(*) from (
      select from deals where is_active or waits_for_price and currency = ${change.to} limit ${most + 1}) few`;
  if ((count ?? 0) > most) {
    await writeSiteSetting(tx, 'nextCurrency', change.to, change.actor);
    return false;
  }
  await switchCurrency(tx, change);
  await sql`
    update deals set updated_at = now()
     where waits_for_price and currency = ${change.to}`.execute(tx);
  return true;
}

/**
 * Returns whether a change is running, owners of paused alerts still have to be emailed, or waiting
 * deals may be shown again.
 */
export const isCurrencyChangeDue = () => sql`
  exists (select from site_settings
           where name = 'nextCurrency' and value #>> '{}' <> '' or name = 'pausedCurrencies' and value <> '[]')
  or (select true from deals where waits_for_price and currency = live_currency() order by id limit 1)`;

/** Continues a currency change batch by batch, until it is done or the process stops. */
export async function continueCurrencyChange(
  { db }: { db: Db },
  signal?: AbortSignal,
  lotSize = 500,
): Promise<void> {
  const { nextCurrency } = await readSiteSettings(db);
  if (nextCurrency !== '') {
    let after: number | null = 0;
    while (after !== null) {
      if (signal?.aborted) return;
      after = await hideLot(db, after, lotSize);
    }
    await db.transaction().execute(finishCurrencyChange);
  }
  await inBatches(signal, () => showLot(db, lotSize));
  await notifyOwners(db, signal, lotSize);
}

async function finishCurrencyChange(tx: Tx): Promise<void> {
  await lockSettings(tx);
  const { currency: from, nextCurrency: to } = await readSiteSettings(tx);
  if (to === '') return; // Another process has already finished the change.
  const actor = 'system';
  await writeSiteSetting(tx, 'nextCurrency', '', actor);
  await switchCurrency(tx, { from, to, actor });
  await writeAudit(tx, {
    actor,
    action: 'settings.update',
    entity: 'site_settings',
    entityId: 'site',
    before: { currency: from },
    after: { currency: to },
  });
}

/**
 * Hides the next live deals during a change. Their version is unchanged, so that earlier imports
 * can be rolled back. Returns the last deal, or `null`.
 */
function hideLot(db: Db, after: number, lotSize: number): Promise<number | null> {
  return ask(db).value<number>`
    with hidden as (
      update deals set is_active = false, waits_for_price = true, updated_at = now()
       where live_currency() is null
         and id in (select id from deals where is_active and id > ${after} order by id limit ${lotSize} for update)
      returning id)
    select max(id) from hidden`;
}

/**
 * Shows the next waiting deals with a price in the site's currency, which their trigger makes live.
 */
async function showLot(db: Db, lotSize: number): Promise<boolean> {
  const ids = await ask(db).column<number>`
    update deals set updated_at = now()
     where id in (
       select id from deals where waits_for_price and currency = live_currency() order by id limit ${lotSize} for update)
    returning id`;
  return ids.length > 0;
}

/**
 * Queues one email for each owner of alerts that a change has paused, batch by batch. The key of an
 * email names its change, so a run repeated after a kill queues none twice. Alerts in a former
 * currency never fire, with or without an email.
 */
async function notifyOwners(db: Db, signal: AbortSignal | undefined, lotSize: number) {
  let after = 0;
  let place = 0; // the currency change that `after` belongs to
  await inBatches(signal, () =>
    db.transaction().execute(async (tx) => {
      await lockSettings(tx); // The lock prevents a currency change in between.
      const { pausedCurrencies } = await readSiteSettings(tx);
      const [left, ...others] = pausedCurrencies;
      if (!left) return false;
      if (left.at !== place) [place, after] = [left.at, 0];
      const last = await notifyLot(tx, left, after, lotSize);
      if (last === null) await writeSiteSetting(tx, 'pausedCurrencies', others, 'system');
      else after = last;
      return true;
    }),
  );
}

/** Notifies the owners of the next alerts. Returns the last alert, or `null`. */
function notifyLot(
  tx: Tx,
  { currency, at }: { currency: string; at: number },
  after: number,
  lotSize: number,
): Promise<number | null> {
  return ask(tx).value<number>`
    with looked as materialized (
      select id, user_id, watcher_id, is_active and currency = ${currency} as is_paused
        from price_alerts where id > ${after} order by id limit ${lotSize}
    ), queued as (
      insert into mail_outbox (key, kind, recipient, user_id, payload, is_bulk)
        select distinct 'alerts-paused:' || coalesce(a.user_id, a.watcher_id::text) || ':' || ${at}::bigint, 'price-alerts-paused',
               coalesce(u.email, w.email), a.user_id,
               jsonb_build_object('userId', a.user_id, 'watcherId', a.watcher_id, 'from', ${currency}::text), true
          from looked a
          left join users u on u.id = a.user_id
          left join watchers w on w.id = a.watcher_id
         where a.is_paused and (u.id is null or u.email_verified and u.suspended_at is null)
      on conflict (key) do nothing)
    select max(id) from looked`;
}

/** Stores the new currency and all its effects at once. Stored prices keep their own currency. */
async function switchCurrency(
  tx: Tx,
  { from, to, actor }: { from: string; to: string; actor: string },
): Promise<void> {
  // Deals written at the same time are either hidden as well, or written after the change.
  await sql`lock table deals in share row exclusive mode`.execute(tx);
  await writeSiteSetting(tx, 'currency', to, actor);
  await sql`
    update deals set is_active = false, waits_for_price = true, updated_at = now()
     where is_active and currency <> ${to}`.execute(tx);
  const { pausedCurrencies } = await readSiteSettings(tx);
  // Alerts in the new currency are no longer paused.
  const others = pausedCurrencies.filter(({ currency }) => currency !== to);
  const paused = [...others, { currency: from, at: Date.now() }];
  await writeSiteSetting(tx, 'pausedCurrencies', paused, actor);
  // Clears amounts that no new price will replace, so that none is shown in the wrong currency.
  await sql`
    update merchants set free_shipping_over = null, standard_shipping = null, version = version + 1
     where free_shipping_over is not null or standard_shipping is not null`.execute(tx);
  await sql`
    delete from watch_requests where target_price is not null or search_address like '/products/%'`.execute(
    tx,
  );
  await sql`
    update watched_searches set is_active = false
     where is_active and (min_price is not null or max_price is not null or product_id is not null)`.execute(
    tx,
  );
  await sql`delete from product_lows`.execute(tx);
  // Forecasts refer to prices in the former currency. Stores' statistics are counted again without
  // them.
  await sql`delete from deal_forecasts`.execute(tx);
  await sql`update forecasts set judged_on = current_date where judged_on is null`.execute(tx);
  await sql`select check_discounts_anew()`.execute(tx);
  await sql`delete from store_checks`.execute(tx);
}
