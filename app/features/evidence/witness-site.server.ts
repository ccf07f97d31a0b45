import { Chain } from './checkpoint-chain.server.ts';
import type { FetchedDays } from './fetch-checkpoints.server.ts';
import { readKeyChanges } from './signed-statements.ts';
import type { SignedCheckpoint } from './verify-evidence.ts';

/**
 * A day that differs from the stored one, or that has another key. `null` means that it is missing.
 */
export interface Conflict {
  day: string;
  kept: SignedCheckpoint | null;
  found: SignedCheckpoint | null;
}

interface WitnessReport {
  /** The days to add to the stored ones. */
  added: SignedCheckpoint[];
  /** The first day that the site rewrote. */
  conflict: Conflict | null;
  problems: string[];
  notes: string[];
}

/**
 * Compares a site's checkpoints with those stored earlier. `read` returns the checkpoints from a
 * day onward. Every stored day is read again, since a site can re-sign a single old day. `accepted`
 * has the texts whose keys staff accepted.
 */
export async function witnessSite(
  kept: readonly SignedCheckpoint[],
  read: (from: string) => Promise<FetchedDays>,
  accepted: readonly string[] = [],
): Promise<WitnessReport> {
  const report: WitnessReport = { added: [], conflict: null, problems: [], notes: [] };
  const newest = kept.at(-1);
  const { checkpoints: found, keyChanges } = await read(kept[0]?.day ?? '2000-01-01');
  const chain = new Chain(report, await readKeyChanges(keyChanges));
  const now = new Map(found.map((checkpoint) => [checkpoint.day, checkpoint]));
  for (const checkpoint of kept) {
    const { day, text } = checkpoint;
    const other = now.get(day) ?? null;
    if (other?.text === text) continue;
    report.problems.push(`${day}: the site ${other ? 'has rewritten' : 'no longer has'} this day.`);
    report.conflict ??= { day, kept: checkpoint, found: other };
  }
  if (report.problems.length > 0) return report;
  if (newest) chain.continueFrom(newest);
  for (const checkpoint of found.filter(({ day }) => day > (newest?.day ?? ''))) {
    const { isNewKey } = await chain.add(checkpoint, accepted.includes(checkpoint.text));
    if (isNewKey) report.conflict ??= { day: checkpoint.day, kept: null, found: checkpoint };
    report.added.push(checkpoint);
  }
  return report.problems.length > 0 ? { ...report, added: [] } : report;
}
