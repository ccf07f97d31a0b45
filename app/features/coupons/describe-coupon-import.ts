import { countNoun } from '#app/platform/count-noun.ts';
import type { CouponImportReport } from './import-coupons.server.ts';

/** Returns what an import did, or would do, one fact a line. */
export function describeCouponImport(report: CouponImportReport): string[] {
  const { counts, withoutCode, newStores, problems } = report;
  const facts: [number, string][] = [
    [counts.added, 'new'],
    [counts.changed, 'changed'],
    [counts.unchanged, 'unchanged'],
    [counts.ended, 'ended, because the list no longer contains them'],
    [counts.kept, 'kept as they are: staff or another list added the same code'],
    [counts.over, 'left out, because they have ended'],
    [counts.repeated, 'listed more than once'],
    [withoutCode, 'without a code, left out'],
    [problems.length, 'rejected'],
  ];
  const lines = facts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${countNoun(count, 'coupon')} ${what}`);
  if (newStores.length > 0)
    lines.push(`${countNoun(newStores.length, 'new store')}: ${newStores.slice(0, 20).join(', ')}`);
  return lines.length > 0 ? lines : ['The list is empty'];
}
