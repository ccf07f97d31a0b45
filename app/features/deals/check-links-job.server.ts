import type { AppServices } from '#app/platform/app-context.server.ts';
import { askStatus, type AskStatus } from './ask-link.server.ts';
import { checkLink, hostOf } from './check-link.server.ts';
import { listDueLinks } from './link-check-queries.server.ts';

/** Limits per run. A run starts every minute. */
const most = { perMerchant: 3, perHost: 3, all: 60 };
const hostsAtATime = 6;

/** Checks whether the links of live deals still work, a few per host and minute. */
export async function checkLinks(
  { db, env, now }: Pick<AppServices, 'db' | 'env' | 'now'>,
  { ask = askStatus, signal }: { ask?: AskStatus; signal?: AbortSignal } = {},
): Promise<void> {
  if (!env.linkChecks) return;
  const due = await listDueLinks(db, now(), most);
  const waiting = [...Map.groupBy(due, (link) => hostOf(link.deal_url)).values()];
  const work = async () => {
    for (let links = waiting.pop(); links; links = waiting.pop()) {
      for (const link of links.slice(0, most.perHost)) {
        if (signal?.aborted) return;
        await checkLink({ db, now }, link, { ask, ...(signal && { signal }) });
      }
    }
  };
  await Promise.all(Array.from({ length: hostsAtATime }, work));
}
