import { sql } from 'kysely';
import { errorCode } from '#database/error-code.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { Role } from '#database/schema/account-tables.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { WeakPasswordReason } from '../passwords/find-weak-password-reasons.ts';
import { judgePassword } from '../passwords/judge-password.server.ts';
import { hashPassword } from '../passwords/password-hash.server.ts';
import { covers, rightsOf } from '../policy.ts';
import { endSessions } from '../sessions/session-queries.server.ts';
import type { DeadInvitation } from './invitation-messages.ts';
import { hashOfLink, mayInviteTo } from './invite-staff.server.ts';
import { keepPassword, makeAccount } from './make-account.server.ts';
import { proveAddress } from './prove-address.server.ts';
import { updateUser, userByEmail } from './user-queries.server.ts';

type Services = Pick<AppServices, 'db' | 'env' | 'log'>;

export type FoundInvitation =
  | { ok: false; reason: DeadInvitation }
  | {
      ok: true;
      id: number;
      email: string;
      role: Exclude<Role, 'user'>;
      inviter: string;
      expiresAt: Date;
      /**
       * The account of the invited address, if verified. An unverified account may be a stranger's.
       */
      member: { id: string; role: Role } | null;
    };

/** Returns the invitation of a link without using the link up. */
export async function findInvitation(db: Db, token: string): Promise<FoundInvitation> {
  const found = await db
    .selectFrom('staff_invitations as i')
    .leftJoin('users as u', 'u.id', 'i.invited_by')
    .select(['i.id', 'i.email', 'i.role', 'i.outcome', 'i.expires_at as expiresAt'])
    .select('u.role as inviterRole')
    .select(['u.email as inviter', 'u.suspended_at as inviterSuspended'])
    .select(sql<boolean>`i.expires_at < now()`.as('isOver'))
    .where(sql<boolean>`i.link_hashes @> array[${hashOfLink(token)}]`)
    .executeTakeFirst();
  if (!found) return { ok: false, reason: 'unknown' };
  if (found.outcome !== null) return { ok: false, reason: found.outcome };
  if (found.isOver) return { ok: false, reason: 'over' };
  const { id, email, role, inviter, expiresAt, inviterRole, inviterSuspended } = found;
  const mayStill =
    inviterRole !== null &&
    inviterSuspended === null &&
    mayInviteTo({ rights: rightsOf(inviterRole) }, role);
  if (!mayStill || inviter === null) return { ok: false, reason: 'not-allowed' };
  const user = await userByEmail(db, email)
    .select(['id', 'role', 'email_verified', 'suspended_at'])
    .executeTakeFirst();
  if (user?.suspended_at) return { ok: false, reason: 'suspended' };
  const member = user?.email_verified ? { id: user.id, role: user.role } : null;
  return { ok: true, id, email, role, inviter, expiresAt, member };
}

export type JoinResult =
  | { ok: true; userId: string }
  | { ok: false; reason: DeadInvitation | 'has-account' | 'other-account' }
  | { ok: false; reason: 'weak'; reasons: WeakPasswordReason[] };

/**
 * Creates an account with a name and password for an invited address. An unverified account is
 * taken over, and its creator's access removed.
 */
export async function joinAsNew(
  { db, env, log }: Services,
  token: string,
  { fullName, password }: { fullName: string; password: string },
): Promise<JoinResult> {
  const found = await findInvitation(db, token);
  if (!found.ok) return found;
  if (found.member) return { ok: false, reason: 'has-account' };
  const { email } = found;
  const reasons = await judgePassword({ db, env }, password, { email, fullName });
  if (reasons.length > 0) return { ok: false, reason: 'weak', reasons };
  const hash = await hashPassword(password);
  const joining = db.transaction().execute(async (tx): Promise<JoinResult> => {
    const open = await take(tx, token);
    if (!open.ok) return open;
    if (open.member) return { ok: false, reason: 'has-account' };
    const unproved = await userByEmail(tx, email).select('id').executeTakeFirst();
    const userId = unproved?.id ?? (await makeAccount(tx, { email, fullName, isVerified: true }));
    if (unproved) {
      await proveAddress(tx, userId, { knowsPassword: false });
      await updateUser(tx, userId).set({ full_name: fullName }).execute();
    }
    await keepPassword(tx, userId, hash);
    await giveRole(tx, { id: userId, role: 'user' }, open);
    return { ok: true, userId };
  });
  const result = await joining.catch((error: unknown): JoinResult => {
    // Another request has created an account with the address at the same time.
    if (errorCode(error) !== '23505') throw error;
    return { ok: false, reason: 'has-account' };
  });
  if (result.ok) log.info({ event: 'staff-joined', userId: result.userId }, 'staff joined');
  return result;
}

/** Gives the role to the signed-in account, which must have the invited address. */
export async function joinAsMember(
  { db, log }: Services,
  token: string,
  viewer: { id: string },
): Promise<JoinResult> {
  const result = await db.transaction().execute(async (tx): Promise<JoinResult> => {
    const open = await take(tx, token);
    if (!open.ok) return open;
    if (open.member?.id !== viewer.id) return { ok: false, reason: 'other-account' };
    await giveRole(tx, open.member, open);
    return { ok: true, userId: viewer.id };
  });
  if (result.ok) log.info({ event: 'staff-joined', userId: viewer.id }, 'staff joined');
  return result;
}

/** Uses the invitation up. The second of two parallel calls gets `null`. */
async function take(tx: Tx, token: string): Promise<FoundInvitation> {
  await sql`select from staff_invitations where link_hashes @> array[${hashOfLink(token)}] for update`.execute(
    tx,
  );
  return findInvitation(tx, token);
}

async function giveRole(
  tx: Tx,
  user: { id: string; role: Role },
  { id, role }: { id: number; role: Role },
): Promise<void> {
  await tx
    .updateTable('staff_invitations')
    .set({ ended_at: sql<Date>`now()`, outcome: 'accepted' })
    .where('id', '=', id)
    .execute();
  // The user may have received more rights since the invitation.
  if (covers(rightsOf(user.role), role)) return;
  await updateUser(tx, user.id)
    .set((eb) => ({ role, role_version: eb('role_version', '+', 1), updated_at: new Date() }))
    .execute();
  await endSessions(tx, user.id);
  await writeAudit(tx, {
    actor: user.id,
    action: 'user.join',
    entity: 'user',
    entityId: user.id,
    before: { role: user.role },
    after: { role },
  });
}
