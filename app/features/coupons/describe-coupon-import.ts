import { countNoun } from '#app/platform/count-noun.ts';
import type { CouponImportReport } from './import-coupons.server.ts';

/** Returns the results that the import run's own counts do not include. */
export function describeCouponNotes({ counts, ...report }: CouponImportReport): string[] {
  const { kept, over, repeated } = counts;
  const counted = { added: 0, changed: 0, unchanged: 0, ended: 0, kept, over, repeated };
  const lines = describeCouponImport({ ...report, counts: counted, problems: [] });
  return kept + over + repeated + report.withoutCode + report.newStores.length > 0 ? lines : [];
}

/** Describes the effect of an import, or of a dry run, one fact per line. */
export function describeCouponImport(report: CouponImportReport): string[] {
  const { counts, withoutCode, newStores, problems } = report;
  const facts: [count: number, noun: string, more: string][] = [
    [counts.added, 'new coupon', ''],
    [counts.changed, 'changed coupon', ''],
    [counts.unchanged, 'unchanged coupon', ''],
    [counts.ended, 'ended coupon', ' that the list no longer contains'],
    [counts.kept, 'coupon', ' that staff or another list added, kept as it is'],
    [counts.over, 'coupon', ' left out after its end'],
    [counts.repeated, 'repeated row', ''],
    [withoutCode, 'row', ' without a code, left out'],
    [problems.length, 'rejected row', ''],
  ];
  const lines = facts
    .filter(([count]) => count > 0)
    .map(([count, noun, more]) => countNoun(count, noun) + more);
  if (newStores.length > 0)
    lines.push(`${countNoun(newStores.length, 'new store')}: ${newStores.slice(0, 20).join(', ')}`);
  return lines.length > 0 ? lines : ['The list is empty'];
}
