import { setTimeout as sleep } from 'node:timers/promises';
import { FeedError } from '../formats/feed-error.ts';

/** The minimum rate: a slower server would block all other imports for days. */
const least = { bytes: 256 * 1024, everyMs: 60_000 };

/**
 * Passes on a download as long as it makes progress. A large feed may take hours, but a server that
 * sends almost nothing is disconnected. `stop` closes the connection.
 */
export async function* requireProgress(
  chunks: AsyncIterable<Uint8Array>,
  stop: () => void,
  { bytes, everyMs } = least,
): AsyncGenerator<Uint8Array> {
  let arrived = 0;
  let isSlow = false;
  const watching = new AbortController();
  const watch = async () => {
    for (let before = 0; ; before = arrived) {
      await sleep(everyMs, undefined, { signal: watching.signal, ref: false });
      if (arrived - before >= bytes) continue;
      isSlow = true;
      stop();
      return;
    }
  };
  watch().catch(() => {});
  const tooSlow = (cause?: unknown) =>
    new FeedError(
      `the feed arrives too slowly: less than ${bytes / 1024} KB in ${everyMs / 1_000} seconds`,
      { cause },
    );
  try {
    for await (const chunk of chunks) {
      arrived += chunk.byteLength;
      yield chunk;
    }
    if (isSlow) throw tooSlow();
  } catch (error) {
    throw isSlow && !(error instanceof FeedError) ? tooSlow(error) : error;
  } finally {
    watching.abort();
  }
}
