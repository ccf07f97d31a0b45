import { clicksHref } from '#app/features/clicks/click-range.ts';

/** Returns the URL of the earnings of a period, as a page or file. */
export function earningsHref(
  days: number,
  path: '/admin/earnings' | '/admin/earnings/export' = '/admin/earnings',
): string {
  const usual = clicksHref({ days, place: { kind: 'site', id: 0 } });
  return usual.replace('/admin/clicks', path);
}
