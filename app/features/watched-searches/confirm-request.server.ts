import { sql } from 'kysely';
import { ruleOf } from '#app/features/price-alerts/alert-kind.ts';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import { type AlertOwner, ownerOfAddress } from '#app/features/price-alerts/alert-owner.server.ts';
import {
  type AlertRefusal,
  armAlert,
  refuse,
  refuseRule,
} from '#app/features/price-alerts/create-alert.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { liftByConfirming } from '#app/platform/mail/suspension-queries.server.ts';
import type { Db, Tx } from '#database/connect.ts';
import { readWatchable } from './read-watchable.server.ts';
import { findWatchRequest, type WatchRequest } from './watch-requests.server.ts';
import { watchMessages } from './watch-messages.ts';
import { putWatchedSearch } from './watched-search-queries.server.ts';

export type ConfirmOutcome =
  /**
   * `owner` is the current owner: a guest's watch becomes a user's if the address now has an
   * account. `hasFired`: the alert is already met.
   */
  { ok: true; owner: AlertOwner; hasFired: boolean; what: WatchRequest['what'] } | AlertRefusal;

/**
 * Starts the requested alert or watch. Only the reader of the email can confirm it. Repeating it
 * changes nothing.
 */
export function confirmRequest(db: Db, requestId: number): Promise<ConfirmOutcome> {
  return db.transaction().execute(async (tx): Promise<ConfirmOutcome> => {
    await sql`select from watch_requests where id = ${requestId} for update`.execute(tx);
    const request = await findWatchRequest(tx, requestId);
    if (!request) return refuse(404, alertMessages.requestGone);
    const owner = await ownerOfAddress(tx, request.email);
    const { what } = request;
    if (request.confirmed_at) return { ok: true, owner, hasFired: false, what };
    const begun = await begin(tx, owner, request);
    if (!begun.ok) return begun;
    await tx
      .updateTable('watch_requests')
      .set({ confirmed_at: sql<Date>`now()` })
      .where('id', '=', requestId)
      .execute();
    await liftByConfirming(tx, request.email);
    return { ok: true, owner, hasFired: begun.hasFired, what };
  });
}

async function begin(
  tx: Tx,
  owner: AlertOwner,
  request: WatchRequest,
): Promise<{ ok: true; hasFired: boolean } | AlertRefusal> {
  if (request.what === 'deal') {
    const rule = ruleOf(request);
    const refusal = await refuseRule(tx, request.deal.id, rule);
    return refusal ?? armAlert(tx, owner, request.deal.id, rule);
  }
  const { currency } = await readSiteSettings(tx);
  const read = await readWatchable(tx, request.address, currency);
  if (!read.ok) return refuse(422, read.message);
  const put = await putWatchedSearch(tx, owner, read.watchable, request.cadence);
  return put === 'too-many' ? refuse(409, watchMessages.tooMany) : { ok: true, hasFired: false };
}
