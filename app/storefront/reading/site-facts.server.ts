import type { RouterContextProvider } from 'react-router';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';

/** What help texts say of this site, so that they cannot say otherwise than it is set up. */
export interface SiteFacts {
  name: string;
  contactEmail: string;
  replyHours: number;
  passwordMinLength: number;
  hasDigest: boolean;
}

export async function readSiteFacts(context: Readonly<RouterContextProvider>): Promise<SiteFacts> {
  const { db, env } = appServices(context);
  const settings = await readSiteSettings(db);
  return {
    name: settings.siteName,
    contactEmail: settings.contactEmail,
    replyHours: settings.replyHours,
    passwordMinLength: env.passwordMinLength,
    hasDigest: settings.digestEnabled,
  };
}
