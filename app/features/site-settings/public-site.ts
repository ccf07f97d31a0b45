import { pickFields } from '#app/platform/pick-fields.ts';
import { yearOf } from '#app/platform/time-words.ts';
import type { BrandLinks } from './brand/brand-links.server.ts';
import { homeSectionsOf } from './home-sections.ts';
import type { SiteSettings } from './site-settings.ts';

const shown = [
  'tagline',
  'logoUrl',
  'logoDarkUrl',
  'currency',
  'timeZone',
  'priceClaims',
  'wasPriceDays',
  'contactEmail',
  'contactPhone',
  'company',
  'affiliateProgrammes',
  'postalAddress',
  'imprint',
  'menus',
] as const;

/**
 * Returns the settings that may be sent to every page. The fields are listed one by one, so that
 * no new setting becomes public by accident.
 */
export function publicSite(settings: SiteSettings, origin: string, now = new Date()) {
  return {
    ...pickFields(settings, shown),
    name: settings.siteName,
    origin,
    copyrightYears: copyrightYears(settings, now),
    newsletterPath: newsletterPath(settings),
  };
}

/** Returns where the newsletter's form is: on the home page, or on its own page if hidden there. */
function newsletterPath({ homeSections }: SiteSettings): string {
  const own = homeSectionsOf(homeSections).find(({ name }) => name === 'newsletter');
  return own?.isOn ? '/#newsletter' : '/newsletter';
}

/**
 * Returns `2025–2026`, from the opening to the current year. If the opening is unset or this year,
 * returns only the current year.
 */
function copyrightYears({ openingYear, timeZone }: SiteSettings, now: Date): string {
  const present = yearOf(now, timeZone);
  return openingYear === null || openingYear >= Number(present)
    ? present
    : `${openingYear}–${present}`;
}

export type PublicSite = ReturnType<typeof publicSite> & {
  /** Whether subscribers get a weekly digest. */
  hasDigest?: boolean;
  /** The owner's icon and colors, for the head of a page. */
  brand?: BrandLinks;
};
