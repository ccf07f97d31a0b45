import type { Db, Tx } from '#database/connect.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { lockSuperAdmins } from './change-role.server.ts';
import { updateUser, userById } from './user-queries.server.ts';

type Services = Pick<AppServices, 'db' | 'log'>;
type Refused = { ok: false; reason: 'not-allowed' | 'self' | 'missing' };

export const longestSuspensionReason = 300;

export type SuspendResult = { ok: true } | Refused | { ok: false; reason: 'suspended' };

/**
 * Suspends a user: the database ends their sessions and pauses their alerts. Only a super_admin may
 * suspend users, and never themselves, so one super_admin always remains. Only staff can read the
 * reason.
 */
export async function suspendUser(
  { db, log }: Services,
  { actor, userId, reason }: { actor: string; userId: string; reason: string },
): Promise<SuspendResult> {
  const result = await db.transaction().execute(async (tx): Promise<SuspendResult> => {
    const found = await lockOther(tx, actor, userId);
    if (!found.ok) return found;
    if (found.isSuspended) return { ok: false, reason: 'suspended' };
    await updateUser(tx, userId)
      .set({ suspended_at: new Date(), suspended_for: reason, updated_at: new Date() })
      .execute();
    const act = { actor, action: 'user.suspend', entity: 'user', entityId: userId };
    await writeAudit(tx, { ...act, after: { reason } });
    return { ok: true };
  });
  if (result.ok) log.info({ event: 'user-suspended', userId, by: actor }, 'user suspended');
  return result;
}

export type ReinstateResult = { ok: true } | Refused | { ok: false; reason: 'not-suspended' };

/** Lets a suspended user sign in again. Alerts resume, and those whose target is met fire. */
export async function reinstateUser(
  { db, log }: Services,
  { actor, userId }: { actor: string; userId: string },
): Promise<ReinstateResult> {
  const result = await db.transaction().execute(async (tx): Promise<ReinstateResult> => {
    const found = await lockOther(tx, actor, userId);
    if (!found.ok) return found;
    if (!found.isSuspended) return { ok: false, reason: 'not-suspended' };
    await updateUser(tx, userId)
      .set({ suspended_at: null, suspended_for: null, updated_at: new Date() })
      .execute();
    await writeAudit(tx, { actor, action: 'user.reinstate', entity: 'user', entityId: userId });
    return { ok: true };
  });
  if (result.ok) log.info({ event: 'user-reinstated', userId, by: actor }, 'user reinstated');
  return result;
}

async function lockOther(
  tx: Tx,
  actor: string,
  userId: string,
): Promise<Refused | { ok: true; isSuspended: boolean }> {
  // Rows are locked in a fixed order, so that only one of two super_admins can suspend the other.
  const superAdmins = await lockSuperAdmins(tx);
  if (!superAdmins.includes(actor)) return { ok: false, reason: 'not-allowed' };
  if (actor === userId) return { ok: false, reason: 'self' };
  const user = await userById(tx, userId).select('suspended_at').forUpdate().executeTakeFirst();
  if (!user) return { ok: false, reason: 'missing' };
  return { ok: true, isSuspended: user.suspended_at !== null };
}

/**
 * Returns whether the user is suspended. Called only after authentication, since strangers must not
 * learn of a suspension.
 */
export async function isSuspended(db: Db, userId: string): Promise<boolean> {
  const user = await userById(db, userId).select('suspended_at').executeTakeFirst();
  return user !== undefined && user.suspended_at !== null;
}

/**
 * Returns whether unrequested emails to this address are blocked. Only accounts with a verified
 * email count, since anyone can sign up with any address.
 */
export async function isMailBarred(
  db: Db,
  { user_id, recipient }: { user_id: string | null; recipient: string },
): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('suspended_at', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('id', '=', user_id),
        eb.and([eb('email', '=', recipient.toLowerCase()), eb('email_verified', '=', true)]),
      ]),
    )
    .executeTakeFirst();
  return found !== undefined;
}
