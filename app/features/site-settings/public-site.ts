import type { SiteSettings } from './site-settings.ts';

/** What every page may know of the settings. Field by field: a new setting never reaches the browser by itself. */
export interface PublicSite {
  name: string;
  tagline: string;
  logoUrl: string;
  origin: string;
  currency: string;
  timeZone: string;
  priceClaims: 'claimed' | 'observed';
  contactEmail: string;
  contactPhone: string;
}

export function publicSite(settings: SiteSettings, origin: string): PublicSite {
  return {
    name: settings.siteName,
    tagline: settings.tagline,
    logoUrl: settings.logoUrl,
    origin,
    currency: settings.currency,
    timeZone: settings.timeZone,
    priceClaims: settings.priceClaims,
    contactEmail: settings.contactEmail,
    contactPhone: settings.contactPhone,
  };
}
