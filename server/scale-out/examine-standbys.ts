import type { Env } from '#app/platform/env.server.ts';
import { fine, type CheckResult, warning } from '#app/platform/check-result.ts';
import { ask } from '#database/ask.ts';
import { connect } from '#database/connect.ts';
import { errorMessage } from '#database/error-code.ts';

/** Checks whether each server in `DATABASE_URL_READ` responds and replicates. */
export async function examineStandbys({ standbyUrls }: Pick<Env, 'standbyUrls'>) {
  return Promise.all(standbyUrls.map(examineStandby));
}

async function examineStandby(url: string): Promise<CheckResult> {
  const name = 'standby';
  const { host } = new URL(url);
  const { db, close } = connect(url, { maxConnections: 1 });
  const fix = 'Meanwhile the site reads from DATABASE_URL. See DATABASE_URL_READ.';
  try {
    const seconds = await ask(db).value<number | null>`
      select case when pg_is_in_recovery()
             then coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0)::float8 end`;
    if (seconds === null) return warning(name, `${host} is not a standby, so it is not used`, fix);
    return fine(name, `${host} follows; its last change is from ${Math.round(seconds)} s ago`);
  } catch (error) {
    return warning(name, `${host}: ${errorMessage(error)}`, fix);
  } finally {
    await close();
  }
}
