import type { AppServices } from '#app/platform/app-context.server.ts';
import { listEvidenceSites, readNewestDay } from './evidence-site-queries.server.ts';
import { visitSite } from './visit-site.server.ts';

/** ms for all of a site's pages */
const patienceMs = 300_000;

/**
 * Countersigns the new days of the sites that we witness, and fetches the countersignatures of our
 * own days. Later runs in the same night repeat only what failed. An error at one site does not
 * affect the others.
 */
export async function witnessSites(services: AppServices, signal: AbortSignal): Promise<void> {
  const newest = await readNewestDay(services.db);
  const today = services.now().toISOString().slice(0, 10);
  const errors: unknown[] = [];
  for (const site of await listEvidenceSites(services.db)) {
    if (signal.aborted) return;
    const isFetched = (site.fetchedAt?.toISOString() ?? '') >= today;
    const isBehind = site.role === 'witness' && site.through !== newest;
    if (isFetched && !isBehind && site.problem === null) continue;
    await visitSite(services, site, signal, patienceMs).catch((error) => errors.push(error));
  }
  if (errors.length > 0) throw new AggregateError(errors, 'Sites could not be visited.');
}
