import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Log } from '#app/platform/log.server.ts';
import { errorCode, errorWords } from '#database/error-code.ts';
import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';
import type { OpenDatabase } from '#server/open-database.ts';

/** It answers, but not as we speak: a pooler that refuses one of our settings, say. */
const protocolViolation = '08P01';

/**
 * Asks until the database answers: machines that start together are not ready together, and behind a balancer a standby
 * may answer first. Throws a sentence for the operator after a minute, and at once what no waiting mends.
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
      const words = errorWords(error);
      if (performance.now() + pauseInMs > giveUpAt) {
        throw new Error(
          `The database (${description}) did not answer for ${Math.round(patienceInMs / 1000)} s: ${words}. Is it running, and does DATABASE_URL name it?`,
          { cause: error },
        );
      }
      log.warn({ attempt, words }, 'the database does not answer yet');
      await sleep(pauseInMs);
    }
  }
}
