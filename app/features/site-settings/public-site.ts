import { pickFields } from '#app/platform/pick-fields.ts';
import { yearOf } from '#app/platform/time-words.ts';
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
  'company',
  'affiliateProgrammes',
] as const;

/** What every page may know of the settings. Field by field: a new setting never reaches the browser by itself. */
export function publicSite(settings: SiteSettings, origin: string, now = new Date()) {
  return {
    ...pickFields(settings, shown),
    name: settings.siteName,
    origin,
    copyrightYears: copyrightYears(settings, now),
  };
}

/** `2025–2026`, from the opening to the present, which stands alone when the opening is untold or this year. */
function copyrightYears({ openingYear, timeZone }: SiteSettings, now: Date): string {
  const present = yearOf(now, timeZone);
  return openingYear === null || openingYear >= Number(present)
    ? present
    : `${openingYear}–${present}`;
}

export type PublicSite = ReturnType<typeof publicSite> & {
  /** Subscribers get a digest each week. */
  hasDigest?: boolean;
};
