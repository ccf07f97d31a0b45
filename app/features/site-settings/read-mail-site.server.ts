import type { Env } from '#app/platform/env.server.ts';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';
import type { Db } from '#database/connect.ts';
import { readSiteSettings } from './site-settings-queries.server.ts';

/** What every mail says of the site. */
export async function readMailSite(db: Db, env: Pick<Env, 'origin'>): Promise<MailSite> {
  const settings = await readSiteSettings(db);
  return {
    name: settings.siteName,
    origin: env.origin,
    contactEmail: settings.contactEmail,
    replyHours: settings.replyHours,
    postalAddress: settings.postalAddress,
    currency: settings.currency,
    timeZone: settings.timeZone,
  };
}
