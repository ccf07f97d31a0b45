import type { SignedCheckpoint } from './verify-evidence.ts';
import { Chain } from './verify-log.server.ts';

interface WitnessReport {
  /** The days to add to those that were kept. */
  added: SignedCheckpoint[];
  problems: string[];
  notes: string[];
}

/**
 * Compares a site's checkpoints with those that were kept before. `read` returns the checkpoints
 * from a day on. Old days are read again only if the newest kept day differs, since each day
 * contains the hash of the one before.
 */
export async function witnessSite(
  kept: readonly SignedCheckpoint[],
  read: (from: string) => Promise<SignedCheckpoint[]>,
): Promise<WitnessReport> {
  const report: WitnessReport = { added: [], problems: [], notes: [] };
  const chain = new Chain(report);
  const newest = kept.at(-1);
  let found = await read(newest?.day ?? '2000-01-01');
  if (newest && !isSame(found[0], newest)) {
    found = await read(kept[0]?.day ?? newest.day);
    const now = new Map(found.map((checkpoint) => [checkpoint.day, checkpoint]));
    for (const own of kept) {
      const other = now.get(own.day);
      if (!other) report.problems.push(`${own.day}: the site no longer has this day.`);
      else if (!isSame(other, own))
        report.problems.push(`${own.day}: the site has rewritten this day.`);
    }
  }
  if (report.problems.length > 0) return report;
  if (newest) chain.continueFrom(newest);
  for (const checkpoint of found.filter(({ day }) => day > (newest?.day ?? ''))) {
    chain.add(checkpoint);
    report.added.push(checkpoint);
  }
  return report.problems.length > 0 ? { ...report, added: [] } : report;
}

const isSame = (one: SignedCheckpoint | undefined, other: SignedCheckpoint) =>
  one?.text === other.text;
