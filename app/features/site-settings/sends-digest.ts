import type { SiteSettings } from './site-settings.ts';

/**
 * Whether the weekly digest is sent at all, given this mail server; otherwise nothing may promise
 * it.
 */
export function sendsDigest(
  { digestEnabled, postalAddress }: Pick<SiteSettings, 'digestEnabled' | 'postalAddress'>,
  { smtp }: { smtp: object | null },
): boolean {
  return digestEnabled && postalAddress !== '' && smtp !== null;
}
