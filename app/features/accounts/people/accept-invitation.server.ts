import { sql } from 'kysely';
import { errorCode } from '#database/error-code.ts';
import type { Db, Tx } from '#database/connect.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { WeakPasswordReason } from '../passwords/find-weak-password-reasons.ts';
import { judgePassword } from '../passwords/judge-password.server.ts';
import { hashPassword } from '../passwords/password-hash.server.ts';
import { covers, type Holder, rightsHeldBy } from '../policy.ts';
import type { DeadInvitation } from './invitation-messages.ts';
import { hashOfLink, mayInviteTo } from './invite-staff.server.ts';
import { keepPassword, makeAccount } from './make-account.server.ts';
import { proveAddress } from './prove-address.server.ts';
import { replaceRole } from './change-role.server.ts';
import { loggedRole, type NamedRole } from './role-choice.ts';
import { setNameOf, setRightsOf } from './set-rights.server.ts';
import { updateUser, userByEmail } from './user-queries.server.ts';

type Services = Pick<AppServices, 'db' | 'env' | 'log'>;

export type FoundInvitation =
  | { ok: false; reason: DeadInvitation }
  | {
      ok: true;
      id: number;
      email: string;
      invited: Holder & NamedRole;
      inviter: string;
      expiresAt: Date;
      /**
       * The account of the invited address, if verified. An unverified account may be a stranger's.
       */
      member: (Holder & NamedRole & { id: string }) | null;
    };

/** Returns the invitation of a link without using the link up. */
export async function findInvitation(db: Db, token: string): Promise<FoundInvitation> {
  const found = await db
    .selectFrom('staff_invitations as i')
    .leftJoin('users as u', 'u.id', 'i.invited_by')
    .select(['i.id', 'i.email', 'i.outcome', 'i.expires_at as expiresAt'])
    .select(['i.role', 'i.right_set as rightSet'])
    .select([setNameOf('i').as('setName'), setRightsOf('i').as('setRights')])
    .select(['u.role as inviterRole', 'u.right_set as inviterSet'])
    .select(setRightsOf('u').as('inviterRights'))
    .select(['u.email as inviter', 'u.suspended_at as inviterSuspended'])
    .select(sql<boolean>`i.expires_at < now()`.as('isOver'))
    .where(sql<boolean>`i.link_hashes @> array[${hashOfLink(token)}]`)
    .executeTakeFirst();
  if (!found) return { ok: false, reason: 'unknown' };
  if (found.outcome !== null) return { ok: false, reason: found.outcome };
  if (found.isOver) return { ok: false, reason: 'over' };
  const { id, email, role, rightSet, setName, setRights, inviter, expiresAt } = found;
  const { inviterRole, inviterSet, inviterRights, inviterSuspended } = found;
  const invited = { role, rightSet, setName, setRights };
  const mayStill =
    inviterRole !== null &&
    inviterSuspended === null &&
    mayInviteTo(
      {
        rights: rightsHeldBy({
          role: inviterRole,
          rightSet: inviterSet,
          setRights: inviterRights,
        }),
      },
      invited,
    );
  if (!mayStill || inviter === null) return { ok: false, reason: 'not-allowed' };
  const user = await userByEmail(db, email)
    .select(['id', 'role', 'right_set as rightSet', 'email_verified', 'suspended_at'])
    .select([setNameOf('users').as('setName'), setRightsOf('users').as('setRights')])
    .executeTakeFirst();
  if (user?.suspended_at) return { ok: false, reason: 'suspended' };
  const member = user?.email_verified ? user : null;
  return { ok: true, id, email, invited, inviter, expiresAt, member };
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
    await giveRole(tx, { ...newcomer, id: userId }, open);
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

/** Uses the invitation up. Returns `null` for the second of two parallel calls. */
async function take(tx: Tx, token: string): Promise<FoundInvitation> {
  await sql`select from staff_invitations where link_hashes @> array[${hashOfLink(token)}] for update`.execute(
    tx,
  );
  return findInvitation(tx, token);
}

const newcomer = { role: 'user', rightSet: null, setName: null, setRights: null } as const;

async function giveRole(
  tx: Tx,
  user: Holder & NamedRole & { id: string },
  { id, invited }: { id: number; invited: Holder & NamedRole },
): Promise<void> {
  await tx
    .updateTable('staff_invitations')
    .set({ ended_at: sql<Date>`now()`, outcome: 'accepted' })
    .where('id', '=', id)
    .execute();
  // The user may have received more rights since the invitation.
  if (covers(rightsHeldBy(user), rightsHeldBy(invited))) return;
  await replaceRole(tx, user.id, invited);
  await writeAudit(tx, {
    actor: user.id,
    action: 'user.join',
    entity: 'user',
    entityId: user.id,
    before: { role: loggedRole(user) },
    after: { role: loggedRole(invited) },
  });
}
