import { sql } from 'kysely';
import type { Tx } from '#database/connect.ts';
import { tableRules } from '#database/table-registry.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { lockSuperAdmins } from './change-role.server.ts';
import type { SessionUser } from '../sessions/session-context.server.ts';

export type EraseResult = { ok: true } | { ok: false; reason: 'last-super-admin' };

/**
 * Erases a person: account, sessions, favorites, alerts, notified browsers, mails about the account (they hang on the user's
 * row); and of a proved address its subscription, messages to us and other mails. The audit log keeps the id, which
 * names nobody any more (R45).
 */
export async function eraseAccount(
  { db, log }: Pick<AppServices, 'db' | 'log'>,
  user: Pick<SessionUser, 'id' | 'email'>,
): Promise<EraseResult> {
  const result = await db.transaction().execute(async (tx): Promise<EraseResult> => {
    const superAdmins = await lockSuperAdmins(tx);
    if (superAdmins.length === 1 && superAdmins[0] === user.id) {
      return { ok: false, reason: 'last-super-admin' };
    }
    await erasePerson(tx, user);
    await writeAudit(tx, {
      actor: user.id,
      action: 'user.erase',
      entity: 'user',
      entityId: user.id,
    });
    return { ok: true };
  });
  if (result.ok) log.info({ event: 'account-erased', userId: user.id }, 'account erased');
  return result;
}

/** What erasing takes away. Who may ask for it, and that somebody did, is the caller's matter. */
export async function erasePerson(tx: Tx, { id }: Pick<SessionUser, 'id'>): Promise<void> {
  const user = await tx
    .selectFrom('users')
    .select(['id', 'email', 'email_verified'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!user) return;
  for (const [name, { erasedByAddress, erasedById }] of Object.entries(tableRules)) {
    const table = sql.table(name);
    // Anybody can sign up with anybody's address: what belongs to it goes where it was proved to be theirs (R59).
    if (erasedByAddress && user.email_verified) {
      await sql`delete from ${table} where lower(${sql.ref(erasedByAddress)}) = ${user.email}`.execute(
        tx,
      );
    }
    if (erasedById) {
      await sql`delete from ${table} where ${sql.ref(erasedById)} = ${user.id}`.execute(tx);
    }
  }
  await tx.deleteFrom('users').where('id', '=', user.id).execute();
}
