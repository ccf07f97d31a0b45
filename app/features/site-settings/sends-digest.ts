import type { SiteSettings } from './site-settings.ts';

/**
 * Returns whether the weekly digest is sent at all with this mail server. If not, no page may
 * promise it.
 */
export function sendsDigest(
  { digestEnabled, postalAddress }: Pick<SiteSettings, 'digestEnabled' | 'postalAddress'>,
  { smtp }: { smtp: object | null },
): boolean {
  return digestEnabled && postalAddress !== '' && smtp !== null;
}
