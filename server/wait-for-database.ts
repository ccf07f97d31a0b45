import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Log } from '#app/platform/log.server.ts';
import { errorCode, errorMessage } from '#database/error-code.ts';
import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';
import type { OpenDatabase } from '#server/open-database.ts';

/**
 * The error code of a server that rejects our protocol, such as a pooler that rejects one of our
 * settings.
 */
const protocolViolation = '08P01';

/**
 * Waits until the database responds. Servers that start together are not ready at the same time,
 * and behind a load balancer, a standby may respond first. Throws a message for the operator after
 * a minute, or immediately for errors that waiting cannot fix.
 */
export async function waitForDatabase(
  { db, description }: Pick<OpenDatabase, 'db' | 'description'>,
  log: Log,
  {
    ask = (): Promise<unknown> => sql`select 1`.execute(db),
    patienceInMs = 60_000,
    pauseInMs = 1_000,
  } = {},
): Promise<void> {
  const giveUpAt = performance.now() + patienceInMs;
  for (let attempt = 1; ; attempt++) {
    try {
      await ask();
      return;
    } catch (error) {
      if (!isDatabaseUnavailable(error) || errorCode(error) === protocolViolation) throw error;
      const words = errorMessage(error);
      if (performance.now() + pauseInMs > giveUpAt) {
        throw new Error(
          `The database (${description}) did not respond for ${Math.round(patienceInMs / 1000)} s: ${words}. Is it running, and is DATABASE_URL correct?`,
          { cause: error },
        );
      }
      log.warn({ attempt, words }, 'the database does not respond yet');
      await sleep(pauseInMs);
    }
  }
}
