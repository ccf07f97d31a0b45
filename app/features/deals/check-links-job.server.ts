import type { AppServices } from '#app/platform/app-context.server.ts';
import { askLink, askStatus, type AskStatus } from './ask-link.server.ts';
import { listDueLinks, type LinkToCheck, noteLinkAnswer } from './link-check-queries.server.ts';

/** In one run, which comes every minute. */
const most = { perMerchant: 3, perHost: 3, all: 60 };
const hostsAtATime = 6;

/**
 * Asks the merchants whether the addresses of live deals still lead somewhere, a few of each host a minute. Names that
 * can never lead anywhere (RFC 2606), as in the demo shop, are asked for by nobody.
 */
export async function checkLinks(
  { db, env, now }: Pick<AppServices, 'db' | 'env' | 'now'>,
  { ask = askStatus, signal }: { ask?: AskStatus; signal?: AbortSignal } = {},
): Promise<void> {
  if (!env.linkChecks) return;
  const waiting = byHost(await listDueLinks(db, now(), most));
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

function byHost(links: LinkToCheck[]): LinkToCheck[][] {
  const hosts = new Map<string, LinkToCheck[]>();
  for (const link of links) {
    const host = hostOf(link.deal_url);
    hosts.set(host, [...(hosts.get(host) ?? []), link]);
  }
  return [...hosts.values()];
}

function hostOf(address: string): string {
  return URL.parse(address)?.hostname.replace(/\.$/, '') ?? '';
}

function isReserved(address: string): boolean {
  const host = hostOf(address);
  return host === '' || /(^|\.)(example|invalid|test|localhost|example\.(com|net|org))$/.test(host);
}
