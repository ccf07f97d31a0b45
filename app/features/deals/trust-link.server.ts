import { sql } from 'kysely';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/**
 * Records a person's confirmation that the link works (`isTrusted`), or removes it. The record is
 * valid until our check succeeds or the link changes. Returns `false` if the link is not broken.
 */
export async function trustLink(
  db: Db,
  { actor, id, isTrusted }: { actor: string; id: number; isTrusted: boolean },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const rows = await ask(tx).rows<{ deal_url: string }>`
      update deals set link_trusted_at = ${isTrusted ? sql`now()` : sql`null`}
       where id = ${id} and link_broken_since is not null
         and (link_trusted_at is null) = ${isTrusted} returning deal_url`;
    const [deal] = rows;
    if (!deal) return false;
    await writeAudit(tx, {
      actor,
      action: isTrusted ? 'deal.trust-link' : 'deal.doubt-link',
      entity: 'deal',
      entityId: id,
      after: { deal_url: deal.deal_url },
    });
    return true;
  });
}
