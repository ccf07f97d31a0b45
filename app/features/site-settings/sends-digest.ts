import type { SiteSettings } from './site-settings.ts';

/** Whether the weekly digest leaves at all, on a site with this mail server: only then may anything promise it. */
export function sendsDigest(
  { digestEnabled, postalAddress }: Pick<SiteSettings, 'digestEnabled' | 'postalAddress'>,
  { smtp }: { smtp: object | null },
): boolean {
  return digestEnabled && postalAddress !== '' && smtp !== null;
}
