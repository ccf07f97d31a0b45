import { sql } from 'kysely';
import { liftByConfirming } from '#app/platform/mail/suspension-queries.server.ts';
import type { Db, Tx } from '#database/connect.ts';
import { ruleOf } from './alert-kind.ts';
import { alertMessages } from './alert-messages.ts';
import { type AlertOwner, ownerOfAddress } from './alert-owner.server.ts';
import { armAlert, type AlertRefusal, refuse, refuseRule } from './create-alert.server.ts';
import { findWatchRequest, type WatchRequest } from './watcher-queries.server.ts';

export type ConfirmOutcome =
  /** `owner`: whose the alert is now. A watcher's becomes a user's where the address has an account by now. */
  { ok: true; owner: AlertOwner; hasFired: boolean } | AlertRefusal;

/** Begins what an address was entered for. Whoever does it read the mail, so the address is theirs. Twice is as good as once. */
export async function confirmAlert(db: Db, requestId: number): Promise<ConfirmOutcome> {
  return db.transaction().execute(async (tx) => {
    await sql`select from watch_requests where id = ${requestId} for update`.execute(tx);
    const request = await findWatchRequest(tx, requestId);
    if (!request) return refuse(404, alertMessages.requestGone);
    const owner = await ownerOfAddress(tx, request.email);
    if (request.confirmed_at) return { ok: true, owner, hasFired: false };
    return begin(tx, owner, request);
  });
}

async function begin(tx: Tx, owner: AlertOwner, request: WatchRequest): Promise<ConfirmOutcome> {
  const rule = ruleOf(request);
  const refusal = await refuseRule(tx, request.deal.id, rule);
  if (refusal) return refusal;
  const armed = await armAlert(tx, owner, request.deal.id, rule);
  if (!armed.ok) return armed;
  await tx
    .updateTable('watch_requests')
    .set({ confirmed_at: sql<Date>`now()` })
    .where('id', '=', request.id)
    .execute();
  await liftByConfirming(tx, request.email);
  return { ok: true, owner, hasFired: armed.hasFired };
}
