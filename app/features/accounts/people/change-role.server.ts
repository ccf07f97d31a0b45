import { sql } from 'kysely';
import type { Db, Tx } from '#database/connect.ts';
import type { Role } from '#database/schema/account-tables.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { can } from '../policy.ts';
import { endSessions } from '../sessions/session-queries.server.ts';
import { proveAddress } from './prove-address.server.ts';

export type ChangeRoleResult =
  | {
      ok: true;
      before: Role;
      /** It proved the address, so no password is left. */ isFirstProof?: true;
    }
  | { ok: false; reason: 'not-allowed' | 'self' | 'missing' | 'last-super-admin' | 'unproved' };

/**
 * Gives a user another role. Only a super_admin may, never for themself, and the last one stays (P12, R02).
 * `actor` is a user's id, or `cli` for whoever has the machine. The user's sessions end: they carry the old rights.
 * A role needs a proved address (R59). The command line proves it, and the password, which a stranger may have set, goes.
 */
export async function changeRole(
  db: Db,
  { actor, userId, role }: { actor: string; userId: string; role: Role },
): Promise<ChangeRoleResult> {
  return db.transaction().execute(async (tx) => {
    // In one order by everybody, so that two who demote each other wait instead of both succeeding.
    const superAdmins = await lockSuperAdmins(tx);
    const isCli = actor === 'cli';
    if (!isCli && !superAdmins.includes(actor)) return { ok: false, reason: 'not-allowed' };
    if (actor === userId) return { ok: false, reason: 'self' };
    const user = await tx
      .selectFrom('users')
      .select(['role', 'email_verified'])
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirst();
    if (!user) return { ok: false, reason: 'missing' };
    if (user.role === role) return { ok: true, before: user.role };
    if (user.role === 'super_admin' && superAdmins.length === 1) {
      return { ok: false, reason: 'last-super-admin' };
    }
    if (!isCli && !user.email_verified) return { ok: false, reason: 'unproved' };
    const isFirstProof = await proveAddress(tx, userId, { knowsPassword: false });
    await tx
      .updateTable('users')
      .set((eb) => ({
        role,
        role_version: eb('role_version', '+', 1),
        updated_at: sql<Date>`now()`,
      }))
      .where('id', '=', userId)
      .execute();
    await endSessions(tx, userId);
    await writeAudit(tx, {
      actor,
      action: 'user.role',
      entity: 'user',
      entityId: userId,
      before: { role: user.role },
      after: { role },
    });
    return { ok: true, before: user.role, ...(isFirstProof && { isFirstProof }) };
  });
}

/** Their ids, locked until the transaction ends: whoever counts them may act on the count (R02). */
export async function lockSuperAdmins(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('users')
    .select(['id', 'role'])
    .where('role', '=', 'super_admin')
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.filter(({ role }) => can(role, 'users.change-role')).map(({ id }) => id);
}
