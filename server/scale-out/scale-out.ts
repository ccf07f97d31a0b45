import type { Env } from '#app/platform/env.server.ts';
import type { CheckResult } from '#app/platform/check-result.ts';
import type { Db } from '#database/connect.ts';
import { examineSharedCaches } from './examine-shared-caches.ts';
import { examineStandbys } from './examine-standbys.ts';
import { Standbys } from './standbys.ts';

export { SharedCaches, sharedCacheHeaderNames, sharedCacheHeaders } from './shared-caches.ts';
export type { Standbys } from './standbys.ts';

/**
 * Connects to the standbys in DATABASE_URL_READ, and compares them with the primary continuously.
 * Returns null if the setting is empty.
 */
export function openStandbys(
  primary: Db,
  { standbyUrls, databasePool }: Pick<Env, 'standbyUrls' | 'databasePool'>,
): Standbys | null {
  if (standbyUrls.length === 0) return null;
  const standbys = new Standbys(primary, standbyUrls, { maxConnections: databasePool });
  standbys.watch();
  return standbys;
}

/** Checks each configured shared cache and standby. */
export async function examineScaleOut(
  env: Pick<Env, 'sharedCaches' | 'standbyUrls'>,
): Promise<CheckResult[]> {
  const results = await Promise.all([examineSharedCaches(env), examineStandbys(env)]);
  return results.flat();
}
