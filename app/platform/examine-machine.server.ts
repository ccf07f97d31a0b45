import { freeBytes } from '#database/free-bytes.ts';
import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { Env } from '#app/platform/env.server.ts';
import { type CheckResult, fine, problem, warning } from '#app/platform/check-result.ts';

const leastFreeBytes = 1024 ** 3;

export async function examineDisk({ dataDir }: Pick<Env, 'dataDir'>): Promise<CheckResult> {
  const free = await freeBytes(dataDir).catch(() => freeBytes('.'));
  const detail = `${(free / 1024 ** 3).toFixed(1)} GB free`;
  return free >= leastFreeBytes
    ? fine('disk', detail)
    : problem('disk', detail, 'Free up space: DATA_DIR needs at least 1 GB.');
}

/**
 * Describes the rights that an attacker in the process would have. `userId` is null on systems
 * without user ids.
 */
export function describeRights(userId: number | null, mayWriteCode: boolean): CheckResult {
  const name = 'rights';
  const fix = 'Run the site as a user of its own: docs/operations.md, “A user of its own”.';
  if (userId === 0) {
    return warning(name, 'root: a fault would affect the whole server', fix);
  }
  const detail = userId === null ? 'a user of this server' : `user ${userId}`;
  if (!mayWriteCode) return fine(name, `${detail}, who may not change the program`);
  return warning(name, `${detail}, who may change the program, too`, fix);
}

/** Checks whether acknowledged writes survive a power cut. */
export async function examineDurability(db: Db): Promise<CheckResult> {
  const settings = ['fsync', 'full_page_writes', 'data_checksums', 'synchronous_commit'];
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name = any(${settings})`.execute(db);
  const off = rows.filter(({ setting }) => setting === 'off').map(({ name }) => name);
  if (off.length === 0) return fine('durability', `on: ${settings.join(', ')}`);
  return {
    name: 'durability',
    state: off.every((name) => name === 'data_checksums') ? 'warning' : 'problem',
    detail: `off: ${off.join(', ')}`,
    fix: off.includes('data_checksums')
      ? 'Stop the server and run pg_checksums --enable; turn on the other settings in postgresql.conf.'
      : 'Turn on these settings in postgresql.conf. Otherwise a power cut can lose acknowledged writes.',
  };
}
