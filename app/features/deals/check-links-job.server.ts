import type { AppServices } from '#app/platform/app-context.server.ts';
import { isReservedHost } from '#app/platform/is-reserved-host.ts';
import { askLink, askStatus, type AskStatus } from './ask-link.server.ts';
import { listDueLinks, noteLinkAnswer } from './link-check-queries.server.ts';

/** In one run, which comes every minute. */
const most = { perMerchant: 3, perHost: 3, all: 60 };
const hostsAtATime = 6;

/**
 * Checks whether the links of live deals still work, a few per host and minute. Reserved names (RFC 2606), as in the
 * demo shop, are never asked.
 */
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
        const isAsked = !isReserved(link.deal_url);
        const answer = isAsked ? await askLink(link.deal_url, ask, signal) : 'unclear';
        if (signal?.aborted) return;
        await noteLinkAnswer(db, link, answer, now());
      }
    }
  };
  await Promise.all(Array.from({ length: hostsAtATime }, work));
}

function hostOf(address: string): string {
  return URL.parse(address)?.hostname.replace(/\.$/, '') ?? '';
}

function isReserved(address: string): boolean {
  const host = hostOf(address);
  return host === '' || isReservedHost(host);
}
