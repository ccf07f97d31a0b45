import { writeAudit } from '#app/platform/audit/audit.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { AskStatus } from '#app/features/deals/ask-link.server.ts';
import { checkLink } from '#app/features/deals/check-link.server.ts';
import { findLink, type LinkAnswer } from '#app/features/deals/link-check-queries.server.ts';
import type { Db } from '#database/connect.ts';

/**
 * Dismisses reports after staff found that the deal has not expired, or is the product that it is
 * compared with. Returns `false` if there are no reports left.
 */
export async function dismissReports(
  db: Db,
  { actor, id, about }: { actor: string; id: number; about: 'over' | 'product' },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('deal_reports')
      .where('deal_id', '=', id)
      .where('about', '=', about)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return false;
    await writeAudit(tx, {
      actor,
      action: about === 'over' ? 'deal.dismiss-reports' : 'deal.dismiss-product-reports',
      entity: 'deal',
      entityId: id,
      after: { reports: Number(numDeletedRows) },
    });
    return true;
  });
}

/** Checks a deal's link immediately. Returns `null` if there is no such deal. */
export async function checkLinkNow(
  services: Pick<AppServices, 'db' | 'now'>,
  { actor, id }: { actor: string; id: number },
  ask?: AskStatus,
): Promise<LinkAnswer | null> {
  const link = await findLink(services.db, id);
  if (!link) return null;
  const answer = await checkLink(services, link, { ...(ask && { ask }) });
  await writeAudit(services.db, {
    actor,
    action: 'deal.check-link',
    entity: 'deal',
    entityId: id,
    after: { deal_url: link.deal_url, answer },
  });
  return answer;
}
