import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { countRows } from '#app/platform/read-table-page.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

const mostSites = 20;

interface Change {
  actor: string;
  role: 'witness' | 'witnessed';
  address: string;
}

/**
 * Adds a witness, or a site to witness. A site that was removed before continues from its stored
 * days. Returns the id, or `null` if there are too many.
 */
export async function addEvidenceSite(
  db: Db,
  { actor, role, address }: Change,
): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    const active = tx
      .selectFrom('evidence_sites')
      .where('role', '=', role)
      .where('is_active', '=', true);
    if ((await countRows(active.where('address', '!=', address))) >= mostSites) return null;
    const { id } = await tx
      .insertInto('evidence_sites')
      .values({ role, address })
      .onConflict((conflict) =>
        conflict.columns(['role', 'address']).doUpdateSet({ is_active: true }),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    await note(tx, actor, 'add', { id, role, address });
    return id;
  });
}

/**
 * Stops fetching from a site. A witnessed site keeps its stored days. A witness is deleted, so its
 * key is pinned anew if staff add it again.
 */
export async function removeEvidenceSite(
  db: Db,
  { actor, id }: { actor: string; id: number },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const removed = await ask(tx).row<Omit<Change, 'actor'> & { id: number }>`
      update evidence_sites set is_active = false where id = ${id} and is_active returning id, role, address`;
    if (!removed) return false;
    if (removed.role === 'witness')
      await tx.deleteFrom('evidence_sites').where('id', '=', id).execute();
    await note(tx, actor, 'remove', removed);
    return true;
  });
}

/**
 * Accepts a site's days from its rewritten day onward. Both versions of that day remain published.
 */
export async function acceptNewDays(
  db: Db,
  { actor, id, now }: { actor: string; id: number; now: Date },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const site = await ask(tx).row<Omit<Change, 'actor'> & { id: number }>`
      select id, role, address from evidence_sites where id = ${id} for update`;
    const settled = await tx
      .updateTable('witness_conflicts')
      .set('settled_at', now)
      .where('site_id', '=', id)
      .where('settled_at', 'is', null)
      .returning('day')
      .executeTakeFirst();
    if (!site || !settled) return false;
    await tx
      .deleteFrom('witnessed_days')
      .where('site_id', '=', id)
      .where('day', '>=', settled.day)
      .execute();
    await tx
      .updateTable('evidence_sites')
      .set({ problem: null, fetched_at: null })
      .where('id', '=', id)
      .execute();
    await note(tx, actor, 'accept', site);
    return true;
  });
}

function note(
  tx: Db,
  actor: string,
  verb: string,
  { id, role, address }: Omit<Change, 'actor'> & { id: number },
) {
  const after = { role, address };
  return writeAudit(tx, {
    actor,
    action: `evidence_site.${verb}`,
    entity: 'evidence_site',
    entityId: id,
    after,
  });
}
