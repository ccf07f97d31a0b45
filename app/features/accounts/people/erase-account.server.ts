import { sql } from 'kysely';
import type { Tx } from '#database/connect.ts';
import { tableRules } from '#database/table-registry.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { lockSuperAdmins } from './change-role.server.ts';
import { userById } from './user-queries.server.ts';

type Services = Pick<AppServices, 'db' | 'log'>;

export type EraseResult = { ok: true } | { ok: false; reason: 'last-super-admin' };

/**
 * Erases a person: account, sessions, favorites, alerts, notified browsers and emails about the
 * account. For a verified address, the subscription, contact messages and other emails are erased
 * too. The audit log keeps only the id.
 */
export async function eraseAccount(
  { db, log }: Services,
  { id }: { id: string },
): Promise<EraseResult> {
  const result = await db.transaction().execute(async (tx): Promise<EraseResult> => {
    const superAdmins = await lockSuperAdmins(tx);
    if (superAdmins.length === 1 && superAdmins[0] === id) {
      return { ok: false, reason: 'last-super-admin' };
    }
    await erasePerson(tx, { id });
    await writeAudit(tx, { actor: id, action: 'user.erase', entity: 'user', entityId: id });
    return { ok: true };
  });
  if (result.ok) log.info({ event: 'account-erased', userId: id }, 'account erased');
  return result;
}

export type DeleteUserResult =
  | { ok: true }
  | { ok: false; reason: 'not-allowed' | 'self' | 'missing' | 'last-super-admin' };

/**
 * Erases another user. Only a super_admin may do this, but not to themselves or to the last
 * super_admin.
 */
export async function deleteUser(
  { db, log }: Services,
  { actor, userId }: { actor: string; userId: string },
): Promise<DeleteUserResult> {
  const result = await db.transaction().execute(async (tx): Promise<DeleteUserResult> => {
    const superAdmins = await lockSuperAdmins(tx);
    if (!superAdmins.includes(actor)) return { ok: false, reason: 'not-allowed' };
    if (actor === userId) return { ok: false, reason: 'self' };
    const user = await userById(tx, userId).select(['id', 'role']).forUpdate().executeTakeFirst();
    if (!user) return { ok: false, reason: 'missing' };
    if (superAdmins.length === 1 && superAdmins[0] === userId) {
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

/** Erases a person's data. Callers check the right and write the audit entry. */
export async function erasePerson(tx: Tx, { id }: { id: string }): Promise<void> {
  const user = await userById(tx, id).select(['email', 'email_verified']).executeTakeFirst();
  if (!user) return;
  for (const [name, { erasedByAddress, erasedById }] of Object.entries(tableRules)) {
    const table = sql.table(name);
    // Anyone can sign up with any address, so data of the address is erased only if the address was
    // verified.
    if (erasedByAddress && user.email_verified) {
      await sql`delete from ${table} where lower(${sql.ref(erasedByAddress)}) = ${user.email}`.execute(
        tx,
      );
    }
    if (erasedById) {
      await sql`delete from ${table} where ${sql.ref(erasedById)} = ${id}`.execute(tx);
    }
  }
  const address = user.email_verified ? user.email : null;
  await sql`select forget_in_trash(${id}, ${address})`.execute(tx);
  await tx.deleteFrom('users').where('id', '=', id).execute();
}
