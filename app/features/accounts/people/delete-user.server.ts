import type { AppServices } from '#app/platform/app-context.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { lockSuperAdmins } from './change-role.server.ts';
import { erasePerson } from './erase-account.server.ts';

export type DeleteUserResult =
  | { ok: true }
  | { ok: false; reason: 'not-allowed' | 'self' | 'missing' | 'last-super-admin' };

/**
 * Deletes somebody else, with all that is theirs. Only a super_admin may, never themself, and the last one stays
 * (P12, R02). The audit log keeps the id, which names nobody any more (R45).
 */
export async function deleteUser(
  { db, log }: Pick<AppServices, 'db' | 'log'>,
  { actor, userId }: { actor: string; userId: string },
): Promise<DeleteUserResult> {
  const result = await db.transaction().execute(async (tx): Promise<DeleteUserResult> => {
    const superAdmins = await lockSuperAdmins(tx);
    if (!superAdmins.includes(actor)) return { ok: false, reason: 'not-allowed' };
    if (actor === userId) return { ok: false, reason: 'self' };
    const user = await tx
      .selectFrom('users')
      .select(['id', 'email', 'role'])
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirst();
    if (!user) return { ok: false, reason: 'missing' };
    if (user.role === 'super_admin' && superAdmins.length === 1) {
      return { ok: false, reason: 'last-super-admin' };
    }
    await erasePerson(tx, user);
    await writeAudit(tx, {
      actor,
      action: 'user.delete',
      entity: 'user',
      entityId: userId,
      before: { role: user.role },
    });
    return { ok: true };
  });
  if (result.ok) log.info({ event: 'account-erased', userId, by: actor }, 'account erased');
  return result;
}
