import type { AppServices } from '#app/platform/app-context.server.ts';
import { isReservedHost } from '#app/platform/is-reserved-host.ts';
import { askLink, askStatus, type AskStatus } from './ask-link.server.ts';
import { type LinkAnswer, type LinkToCheck, noteLinkAnswer } from './link-check-queries.server.ts';

/**
 * Checks one link and records the result, unless aborted. Reserved names (RFC 2606), as in the demo
 * shop, are never requested.
 */
export async function checkLink(
  { db, now }: Pick<AppServices, 'db' | 'now'>,
  link: LinkToCheck,
  { ask = askStatus, signal }: { ask?: AskStatus; signal?: AbortSignal } = {},
): Promise<LinkAnswer> {
  const isAsked = !isReserved(link.deal_url);
  const answer = isAsked ? await askLink(link.deal_url, ask, signal) : 'unclear';
  if (!signal?.aborted) await noteLinkAnswer(db, link, answer, now());
  return answer;
}

export function hostOf(address: string): string {
  return URL.parse(address)?.hostname.replace(/\.$/, '') ?? '';
}

function isReserved(address: string): boolean {
  const host = hostOf(address);
  return host === '' || isReservedHost(host);
}
