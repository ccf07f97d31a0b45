import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { inBatches } from '#database/in-batches.ts';

const dealsAtATime = 500;

/**
 * Marks due deals as expired within a minute. The database then recounts the lists and invalidates
 * pages. Small batches keep locks short. Rows locked by another process are left to it.
 */
export async function expireDeals(db: Db, signal?: AbortSignal): Promise<void> {
  await inBatches(signal, async () => {
    const rows = await ask(db).rows`
      update deals set is_expired = true where id in (
        select d.id from deal_texts t join deals d on d.id = t.deal_id
         where not t.is_expired and t.expires_at <= now() and not d.is_expired and d.expires_at <= now()
         order by t.expires_at limit ${dealsAtATime} for update of d skip locked)
      returning id`;
    return rows.length === dealsAtATime;
  });
}
