import { safeStatus, SafeFetchError } from '#app/platform/safe-fetch.server.ts';
import type { LinkAnswer } from './link-check-queries.server.ts';

/** The status that an address answers with in the end. Throws SafeFetchError when there is none. */
export type AskStatus = (
  address: string,
  method: 'HEAD' | 'GET',
  signal: AbortSignal | undefined,
) => Promise<number>;

export const askStatus: AskStatus = (address, method, signal) =>
  safeStatus(address, method, { timeoutMs: 10_000, ...(signal && { signal }) });

/**
 * Whether a link still leads somewhere. HEAD comes first, since it costs the merchant least; many servers answer it
 * wrongly, so only a GET can say that a page is gone. Refusals, errors and silence say nothing: shops turn programs
 * away, and every server has bad days.
 */
export async function askLink(address: string, ask: AskStatus, signal?: AbortSignal) {
  try {
    let answer = judge(await ask(address, 'HEAD', signal));
    if (answer === 'gone' || answer === 'unclear') {
      answer = judge(await ask(address, 'GET', signal));
    }
    return answer === 'busy' ? 'unclear' : answer;
  } catch (error) {
    if (error instanceof SafeFetchError) return 'unclear';
    throw error;
  }
}

/** `busy`: do not ask again now. */
function judge(status: number): LinkAnswer | 'busy' {
  if (status >= 200 && status < 300) return 'there';
  if (status === 404 || status === 410) return 'gone';
  const wantsRest = status === 429 || (status >= 500 && status !== 501);
  return wantsRest ? 'busy' : 'unclear';
}
