import type { AppServices } from '#app/platform/app-context.server.ts';
import { SafeFetchError } from '#app/platform/safe-fetch-error.ts';
import { countersignSite } from './countersign-site.server.ts';
import type { EvidenceSite } from './evidence-site-queries.server.ts';
import { fetchCosignatures } from './fetch-cosignatures.server.ts';

/** Fetches from one site for at most `patience` ms, and records its problem, if any. */
export async function visitSite(
  services: AppServices,
  site: EvidenceSite,
  signal: AbortSignal,
  patience: number,
): Promise<void> {
  const late = AbortSignal.timeout(patience);
  const ended = AbortSignal.any([signal, late]);
  const visit = site.role === 'witness' ? fetchCosignatures : countersignSite;
  let problem: string | null;
  let isRead = true;
  try {
    problem = await visit(services, site, ended);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof SafeFetchError)) throw error;
    const reason = late.aborted ? 'it took too long' : error.message;
    problem = `It could not be read: ${reason}.`;
    isRead = false;
  }
  await services.db
    .updateTable('evidence_sites')
    .set({
      problem: problem?.slice(0, 1_000) ?? null,
      ...(isRead && { fetched_at: services.now() }),
    })
    .where('id', '=', site.id)
    .execute();
}
