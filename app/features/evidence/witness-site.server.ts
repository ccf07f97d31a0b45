import type { SignedCheckpoint } from './verify-evidence.ts';
import { Chain } from './verify-log.server.ts';

interface WitnessReport {
  /** The days to add to the stored ones. */
  added: SignedCheckpoint[];
  problems: string[];
  notes: string[];
}

/**
 * Compares a site's checkpoints with those stored earlier. `read` returns the checkpoints from a
 * day on. Every stored day is read again, since a site can sign a single old day again.
 */
export async function witnessSite(
  kept: readonly SignedCheckpoint[],
  read: (from: string) => Promise<SignedCheckpoint[]>,
): Promise<WitnessReport> {
  const report: WitnessReport = { added: [], problems: [], notes: [] };
  const chain = new Chain(report);
  const newest = kept.at(-1);
  const found = await read(kept[0]?.day ?? '2000-01-01');
  const now = new Map(found.map(({ day, text }) => [day, text]));
  for (const { day, text } of kept) {
    const other = now.get(day);
    if (other === undefined) report.problems.push(`${day}: the site no longer has this day.`);
    else if (other !== text) report.problems.push(`${day}: the site has rewritten this day.`);
  }
  if (report.problems.length > 0) return report;
  if (newest) chain.continueFrom(newest);
  for (const checkpoint of found.filter(({ day }) => day > (newest?.day ?? ''))) {
    chain.add(checkpoint);
    report.added.push(checkpoint);
  }
  return report.problems.length > 0 ? { ...report, added: [] } : report;
}
