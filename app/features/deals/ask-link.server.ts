import { safeStatus, SafeFetchError } from '#app/platform/safe-fetch.server.ts';
import type { LinkAnswer } from './link-check-queries.server.ts';

/** Returns the final status of a URL. Throws SafeFetchError if no response arrives. */
export type AskStatus = (
  address: string,
  method: 'HEAD' | 'GET',
  signal: AbortSignal | undefined,
) => Promise<number>;

export const askStatus: AskStatus = (address, method, signal) =>
  safeStatus(address, method, { timeoutMs: 10_000, ...(signal && { signal }) });

/**
 * Checks whether a link still works. HEAD comes first, since it costs the merchant least. Many
 * servers mishandle HEAD, so only a GET can report a page as gone. Rejections, errors and timeouts
 * prove nothing, since shops block bots and servers have outages.
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

/** Classifies a status. `busy`: do not retry now. */
function judge(status: number): LinkAnswer | 'busy' {
  if (status >= 200 && status < 300) return 'there';
  if (status === 404 || status === 410) return 'gone';
  const wantsRest = status === 429 || (status >= 500 && status !== 501);
  return wantsRest ? 'busy' : 'unclear';
}
