import { describeClosed } from '#app/features/site-settings/closed-site.ts';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';
import { isReservedHost } from '#app/platform/is-reserved-host.ts';

/** Returns whether search engines could reach this origin, inferred from its name. */
export function hasPublicName(origin: string): boolean {
  const host = new URL(origin).hostname;
  return host.includes('.') && !/(?:\.\d+|\])$/.test(host) && !isReservedHost(host);
}

/** Describes why no service is notified, or returns `null` for a public site. */
export function describeUnlisted(
  { maintenance }: Pick<SiteSettings, 'maintenance'>,
  origin: string,
): string | null {
  if (hasPublicName(origin)) return describeClosed(maintenance);
  return `The site’s address ${origin} is not public. Set ORIGIN to the address that visitors use.`;
}
