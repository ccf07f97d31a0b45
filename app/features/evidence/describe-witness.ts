import type { EvidenceSite } from './evidence-site-queries.server.ts';

/** days that a witness may lag behind, since a nightly run can fail */
const mostDaysBehind = 2;

/** Returns a label for the state of our witness, or of a site that we witness. */
export function describeWitness(
  site: Pick<EvidenceSite, 'role' | 'problem' | 'fetchedAt' | 'through' | 'conflictDay'>,
  newest: string | null,
): { label: string; variant: 'good' | 'warn' | 'bad' | 'plain' } {
  if (site.conflictDay !== null) return { label: 'Changed', variant: 'bad' };
  if (site.problem !== null) return { label: 'Problem', variant: 'bad' };
  if (site.fetchedAt === null) return { label: 'Not fetched yet', variant: 'plain' };
  if (isBehind(site, newest)) return { label: 'Behind', variant: 'warn' };
  return { label: 'Up to date', variant: 'good' };
}

/** Returns whether our witness lags behind our newest day. */
export function isBehind(
  { role, through }: Pick<EvidenceSite, 'role' | 'through'>,
  newest: string | null,
): boolean {
  if (role === 'witnessed' || newest === null) return false;
  return through === null || Date.parse(newest) - Date.parse(through) > mostDaysBehind * 86_400_000;
}
