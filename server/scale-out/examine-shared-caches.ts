import type { Env } from '#app/platform/env.server.ts';
import { fine, type CheckResult, warning } from '#app/platform/check-result.ts';
import { errorMessage } from '#database/error-code.ts';
import { purge } from '#server/scale-out/shared-caches.ts';

/** Checks whether each cache in `SHARED_CACHES` accepts purges from this server. */
export function examineSharedCaches({
  sharedCaches,
}: Pick<Env, 'sharedCaches'>): Promise<CheckResult[]> {
  return Promise.all(sharedCaches.map(examineSharedCache));
}

async function examineSharedCache(url: string): Promise<CheckResult> {
  const name = 'shared cache';
  try {
    await purge(url, 'doctor'); // No page has this key, so nothing is purged.
    return fine(name, `${url} takes purges`);
  } catch (error) {
    const detail = `${url}: ${errorMessage(error)}`;
    const fix =
      'The cache shows outdated prices for up to two minutes. docs/operations.md, “A shared cache”.';
    return warning(name, detail, fix);
  }
}
