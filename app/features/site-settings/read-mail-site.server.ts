import type { Env } from '#app/platform/env.server.ts';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';
import { pickFields } from '#app/platform/pick-fields.ts';
import type { Db } from '#database/connect.ts';
import { readSiteSettings } from './site-settings-queries.server.ts';

const told = ['contactEmail', 'replyHours', 'postalAddress', 'currency', 'timeZone'] as const;

/** Returns the site facts for every email. */
export async function readMailSite(db: Db, env: Pick<Env, 'origin'>): Promise<MailSite> {
  const settings = await readSiteSettings(db);
  return {
    ...pickFields(settings, told),
    name: settings.siteName,
    origin: env.origin,
    logoPath: mailLogoPath(settings.logoUrl),
  };
}

/** Returns the logo's path in emails, where it is a PNG. Returns `null` without one. */
function mailLogoPath(logoUrl: string): string | null {
  const [, hash] = /^\/media\/site\/logo-([\da-f]+)\.webp$/.exec(logoUrl) ?? [];
  return hash === undefined ? null : `/mail-pictures/logo-${hash}.png`;
}
