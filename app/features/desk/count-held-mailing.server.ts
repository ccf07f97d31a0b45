import { readCounters } from '#app/platform/site-counters.server.ts';
import type { Db } from '#database/connect.ts';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';

/** Returns how many subscribers get no digest because there is no postal address. */
export async function countHeldMailing(
  db: Db,
  { digestEnabled, postalAddress }: Pick<SiteSettings, 'digestEnabled' | 'postalAddress'>,
): Promise<number> {
  if (!digestEnabled || postalAddress !== '') return 0;
  return (await readCounters(db, 'subscriptions'))('active');
}
