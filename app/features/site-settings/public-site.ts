import { pickFields } from '#app/platform/pick-fields.ts';
import type { SiteSettings } from './site-settings.ts';

const shown = [
  'tagline',
  'logoUrl',
  'currency',
  'timeZone',
  'priceClaims',
  'wasPriceDays',
  'contactEmail',
  'contactPhone',
] as const;

/** What every page may know of the settings. Field by field: a new setting never reaches the browser by itself. */
export function publicSite(settings: SiteSettings, origin: string) {
  return { ...pickFields(settings, shown), name: settings.siteName, origin };
}

export type PublicSite = ReturnType<typeof publicSite>;
