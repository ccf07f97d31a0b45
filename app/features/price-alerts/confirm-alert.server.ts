import { sql } from 'kysely';
import { liftByConfirming } from '#app/platform/mail/suspension-queries.server.ts';
import type { Db, Tx } from '#database/connect.ts';
import { ruleOf } from './alert-kind.ts';
import { alertMessages } from './alert-messages.ts';
import { type AlertOwner, ownerOfAddress } from './alert-owner.server.ts';
import { armAlert, type AlertRefusal, refuse, refuseRule } from './create-alert.server.ts';
import { findWatchRequest } from './watcher-queries.server.ts';

export type ConfirmOutcome =
  /**
   * The outcome of a confirmation. `owner` is the current owner: a guest's alert becomes a user's
   * if the address has an account by now.
   */
  { ok: true; owner: AlertOwner; hasFired?: boolean | undefined } | AlertRefusal;

/**
 * Starts an alert or a watched search that an address requested. Only the reader of the email can
 * confirm it. A repetition changes nothing.
 */
export function confirmRequest<Request extends { email: string; confirmed_at: Date | null }>(
  db: Db,
  requestId: number,
  find: (tx: Tx, id: number) => Promise<Request | null>,
  begin: (
    tx: Tx,
    owner: AlertOwner,
    request: Request,
  ) => Promise<{ ok: true; hasFired?: boolean } | AlertRefusal>,
): Promise<ConfirmOutcome> {
  return db.transaction().execute(async (tx): Promise<ConfirmOutcome> => {
    await sql`select from watch_requests where id = ${requestId} for update`.execute(tx);
    const request = await find(tx, requestId);
    if (!request) return refuse(404, alertMessages.requestGone);
    const owner = await ownerOfAddress(tx, request.email);
    if (request.confirmed_at) return { ok: true, owner };
    const begun = await begin(tx, owner, request);
    if (!begun.ok) return begun;
    await tx
      .updateTable('watch_requests')
      .set({ confirmed_at: sql<Date>`now()` })
      .where('id', '=', requestId)
      .execute();
    await liftByConfirming(tx, request.email);
    return { ok: true, owner, hasFired: begun.hasFired };
  });
}

export function confirmAlert(db: Db, requestId: number): Promise<ConfirmOutcome> {
  return confirmRequest(db, requestId, findWatchRequest, async (tx, owner, request) => {
    const rule = ruleOf(request);
    const refusal = await refuseRule(tx, request.deal.id, rule);
    return refusal ?? armAlert(tx, owner, request.deal.id, rule);
  });
}
