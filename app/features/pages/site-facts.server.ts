import type { RouterContextProvider } from 'react-router';
import { sendsDigest } from '#app/features/site-settings/sends-digest.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';

export type SiteFacts = Awaited<ReturnType<typeof readSiteFacts>>;

/** Returns facts about this site for the help texts, so that they match its settings. */
export async function readSiteFacts(context: Readonly<RouterContextProvider>) {
  const { db, env } = appServices(context);
  const settings = await readSiteSettings(db);
  return {
    name: settings.siteName,
    timeZone: settings.timeZone,
    contactEmail: settings.contactEmail,
    replyHours: settings.replyHours,
    passwordMinLength: env.passwordMinLength,
    hasDigest: sendsDigest(settings, env),
    isAmazonAssociate: settings.affiliateProgrammes.some((name) => /amazon/i.test(name)),
  };
}
