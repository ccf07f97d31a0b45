import { sql } from 'kysely';
import { errorCode } from '#database/error-code.ts';
import type { Db, Tx } from '#database/connect.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { keepDeleted } from '#app/platform/trash/keep-deleted.server.ts';
import type { StaffRight } from '../policy.ts';
import { lockRole, lockSuperAdmins, replaceRole } from './change-role.server.ts';
import { findRightSet, type RightSetRow } from './right-set-queries.server.ts';
import { loggedRole, reservedNames, type RoleChoice } from './role-choice.ts';

interface Fields {
  name: string;
  rights: readonly StaffRight[];
}

type Refused<Reason extends string> = { ok: false; reason: Reason; current?: RightSetRow };
type NotAllowed = 'not-allowed';

export type SaveRightSetResult =
  | { ok: true; id: number }
  | Refused<NotAllowed | 'not-found' | 'name-taken' | 'changed-meanwhile'>;

/**
 * Creates a custom set. Only a super_admin may do this, since they have all rights that a set can
 * contain.
 */
export async function createRightSet(
  db: Db,
  { actor, name, rights }: Fields & { actor: string },
): Promise<SaveRightSetResult> {
  return asUniqueName(name, () =>
    db.transaction().execute(async (tx): Promise<SaveRightSetResult> => {
      if (!(await isOwner(tx, actor))) return { ok: false, reason: 'not-allowed' };
      const { id } = await tx
        .insertInto('right_sets')
        .values({ name, rights: [...rights] })
        .returning('id')
        .executeTakeFirstOrThrow();
      const act = { actor, action: 'right-set.create', entity: 'right_set', entityId: id };
      await writeAudit(tx, { ...act, after: { name, rights } });
      return { ok: true, id };
    }),
  );
}

/**
 * Changes a custom set, unless it changed since `version`. Each request reads the rights, so every
 * process applies the change at once.
 */
export async function updateRightSet(
  db: Db,
  { actor, id, version, name, rights }: Fields & { actor: string; id: number; version: number },
): Promise<SaveRightSetResult> {
  return asUniqueName(name, () =>
    db.transaction().execute(async (tx): Promise<SaveRightSetResult> => {
      if (!(await isOwner(tx, actor))) return { ok: false, reason: 'not-allowed' };
      const before = await lockSet(tx, id);
      if (!before) return { ok: false, reason: 'not-found' };
      if (before.version !== version) {
        return { ok: false, reason: 'changed-meanwhile', current: before };
      }
      if (before.name === name && before.rights.join() === rights.join()) return { ok: true, id };
      await tx
        .updateTable('right_sets')
        .set({ name, rights: [...rights], version: version + 1, updated_at: new Date() })
        .where('id', '=', id)
        .execute();
      await writeAudit(tx, {
        actor,
        action: 'right-set.update',
        entity: 'right_set',
        entityId: id,
        before: { name: before.name, rights: before.rights },
        after: { name, rights },
      });
      return { ok: true, id };
    }),
  );
}

export type DeleteRightSetResult =
  | { ok: true; moved: number }
  | Refused<NotAllowed | 'not-found' | 'in-use' | 'no-target'>;

/**
 * Deletes a custom set. Its users and open invitations get the role `to`; without it, a set in use
 * is not deleted. The users are signed out, as after any change of role. A restored set is not
 * assigned to them again.
 */
export async function deleteRightSet(
  db: Db,
  { actor, id, to }: { actor: string; id: number; to: RoleChoice | null },
): Promise<DeleteRightSetResult> {
  return db.transaction().execute(async (tx): Promise<DeleteRightSetResult> => {
    if (!(await isOwner(tx, actor))) return { ok: false, reason: 'not-allowed' };
    const set = await lockSet(tx, id);
    if (!set) return { ok: false, reason: 'not-found' };
    const invitations = await tx
      .selectFrom('staff_invitations')
      .select('id')
      .where('right_set', '=', String(id))
      .where('ended_at', 'is', null)
      .forUpdate()
      .execute();
    const users = await tx
      .selectFrom('users')
      .select('id')
      .where('right_set', '=', String(id))
      .orderBy('id')
      .forUpdate()
      .execute();
    if (users.length + invitations.length > 0) {
      // The owner's role can be given only to one user at a time, on the user's page.
      if (to?.role !== 'admin' || to.rightSet === String(id)) {
        return { ok: false, reason: 'in-use' };
      }
      const name = await lockRole(tx, to);
      if (name === null) return { ok: false, reason: 'no-target' };
      await moveTo(tx, { actor, set, users, to, name });
    }
    const { name } = set;
    await keepDeleted(tx, { table: 'right_sets', entity: 'right_set', id, name, actor });
    await tx.deleteFrom('right_sets').where('id', '=', id).execute();
    const act = { actor, action: 'right-set.delete', entity: 'right_set', entityId: id };
    await writeAudit(tx, { ...act, before: { name: set.name, rights: set.rights } });
    return { ok: true, moved: users.length };
  });
}

async function moveTo(
  tx: Tx,
  {
    actor,
    set,
    users,
    to,
    name,
  }: { actor: string; set: RightSetRow; users: { id: string }[]; to: RoleChoice; name: string },
): Promise<void> {
  await tx
    .updateTable('staff_invitations')
    .set({ right_set: to.rightSet })
    .where('right_set', '=', String(set.id))
    .where('ended_at', 'is', null)
    .execute();
  for (const { id } of users) await replaceRole(tx, id, to);
  const before = loggedRole({ role: 'admin', rightSet: String(set.id), setName: set.name });
  await writeAudit(
    tx,
    users.map(({ id }) => ({
      actor,
      action: 'user.role',
      entity: 'user',
      entityId: id,
      before: { role: before },
      after: { role: name },
    })),
  );
}

async function isOwner(tx: Tx, actor: string): Promise<boolean> {
  return (await lockSuperAdmins(tx)).includes(actor);
}

async function lockSet(tx: Tx, id: number): Promise<RightSetRow | null> {
  await sql`select from right_sets where id = ${id} for update`.execute(tx);
  return findRightSet(tx, id);
}

async function asUniqueName(
  name: string,
  save: () => Promise<SaveRightSetResult>,
): Promise<SaveRightSetResult> {
  if (reservedNames.includes(name.toLowerCase())) return { ok: false, reason: 'name-taken' };
  try {
    return await save();
  } catch (error) {
    if (errorCode(error) !== '23505') throw error;
    return { ok: false, reason: 'name-taken' };
  }
}
