import type { Db, Tx } from '#database/connect.ts';
import type { Role } from '#database/schema/account-tables.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { can, rightsOfBuiltIn } from '../policy.ts';
import { endSessions } from '../sessions/session-queries.server.ts';
import { loggedRole, type RoleChoice } from './role-choice.ts';
import { setNameOf } from './set-rights.server.ts';
import { proveAddress } from './prove-address.server.ts';
import { updateUser, userById } from './user-queries.server.ts';

export type ChangeRoleResult =
  // `isFirstProof`: the change verified the address, so the password was removed.
  | { ok: true; before: Role; isFirstProof?: true }
  | {
      ok: false;
      reason: 'not-allowed' | 'self' | 'missing' | 'last-super-admin' | 'unproved' | 'no-role';
    };

/**
 * Changes a user's role and ends their sessions, which carry the old rights. Only a super_admin may
 * change roles, but not their own or that of the last super_admin. `actor` is a user's id, or
 * `cli`. A role requires a verified email. The command line verifies the address and removes the
 * password, which a stranger may have set. `rightSet` narrows the rights of an admin.
 */
export async function changeRole(
  db: Db,
  {
    actor,
    userId,
    role,
    rightSet = null,
  }: { actor: string; userId: string } & Pick<RoleChoice, 'role'> & Partial<RoleChoice>,
): Promise<ChangeRoleResult> {
  return db.transaction().execute(async (tx) => {
    // Locks the rows in a fixed order. If two admins demote each other at once, the second one
    // fails.
    const superAdmins = await lockSuperAdmins(tx);
    const isCli = actor === 'cli';
    if (!isCli && !superAdmins.includes(actor)) return { ok: false, reason: 'not-allowed' };
    if (actor === userId) return { ok: false, reason: 'self' };
    const user = await userById(tx, userId)
      .select(['role', 'right_set as rightSet', 'email_verified'])
      .select(setNameOf('users').as('setName'))
      .forUpdate()
      .executeTakeFirst();
    if (!user) return { ok: false, reason: 'missing' };
    if (user.role === role && user.rightSet === rightSet) return { ok: true, before: user.role };
    const name = await lockRole(tx, { role, rightSet });
    if (name === null) return { ok: false, reason: 'no-role' };
    if (superAdmins.length === 1 && superAdmins[0] === userId) {
      return { ok: false, reason: 'last-super-admin' };
    }
    if (!isCli && !user.email_verified) return { ok: false, reason: 'unproved' };
    const isFirstProof = await proveAddress(tx, userId, { knowsPassword: false });
    await replaceRole(tx, userId, { role, rightSet });
    await writeAudit(tx, {
      actor,
      action: 'user.role',
      entity: 'user',
      entityId: userId,
      before: { role: loggedRole(user) },
      after: { role: name },
    });
    return { ok: true, before: user.role, ...(isFirstProof && { isFirstProof }) };
  });
}

/**
 * Stores a role and ends the user's sessions. Callers check the right and write the audit entry.
 */
export async function replaceRole(
  tx: Tx,
  userId: string,
  { role, rightSet }: RoleChoice,
): Promise<void> {
  await updateUser(tx, userId)
    .set((eb) => ({
      role,
      right_set: rightSet,
      role_version: eb('role_version', '+', 1),
      updated_at: new Date(),
    }))
    .execute();
  await endSessions(tx, userId);
}

/**
 * Returns the role's name for the log, or `null` if its custom set was deleted. The set cannot be
 * deleted until the transaction ends.
 */
export async function lockRole(tx: Tx, choice: RoleChoice): Promise<string | null> {
  const { rightSet } = choice;
  if (rightSet === null || rightsOfBuiltIn(rightSet)) {
    return loggedRole({ ...choice, setName: null });
  }
  const set = await tx
    .selectFrom('right_sets')
    .select('name')
    .where('id', '=', Number(rightSet))
    .forShare()
    .executeTakeFirst();
  return set?.name ?? null;
}

/**
 * Returns super_admins who are not suspended, and locks their rows so that the count stays valid
 * until the transaction ends.
 */
export async function lockSuperAdmins(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('users')
    .select(['id', 'role'])
    .where('role', '=', 'super_admin')
    .where('suspended_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.filter(({ role }) => can(role, 'users.change-role')).map(({ id }) => id);
}
