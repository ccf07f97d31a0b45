import { sql } from 'kysely';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { Db } from '#database/connect.ts';

/** Revokes a key. Returns `false` if no active key has this id. */
export async function revokeApiKey(
  db: Db,
  { actor, id }: { actor: string; id: number },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const revoked = await tx
      .updateTable('api_keys')
      .set({ revoked_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returning(['name', 'prefix'])
      .executeTakeFirst();
    if (!revoked) return false;
    await writeAudit(tx, {
      actor,
      action: 'api-key.revoke',
      entity: 'api_key',
      entityId: id,
      before: revoked,
    });
    return true;
  });
}
