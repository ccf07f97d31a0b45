import type { Env } from '#app/platform/env.server.ts';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';
import { pickFields } from '#app/platform/pick-fields.ts';
import type { Db } from '#database/connect.ts';
import { type AccentColors, accentColors } from './brand/accent-colors.ts';
import { readSiteSettings } from './site-settings-queries.server.ts';

const told = ['contactEmail', 'replyHours', 'postalAddress', 'currency', 'timeZone'] as const;

/** Returns the facts about the site that every email needs. */
export async function readMailSite(db: Db, env: Pick<Env, 'origin'>): Promise<MailSite> {
  const settings = await readSiteSettings(db);
  return {
    ...pickFields(settings, told),
    name: settings.siteName,
    origin: env.origin,
    logoPath: mailLogoPath(settings.logoUrl),
    colors: mailColors(settings.accent),
  };
}

/** Returns the colors of emails, or `null` for the default. */
function mailColors(accent: string): MailSite['colors'] {
  if (accent === '') return null;
  const { light, dark } = accentColors(accent);
  const inMail = ({ action, fill, onFill }: AccentColors) => ({
    link: action,
    button: fill,
    onButton: onFill,
  });
  return { light: inMail(light), dark: inMail(dark) };
}

/** Returns the path of the logo as a PNG for emails, or `null` if there is no logo. */
function mailLogoPath(logoUrl: string): string | null {
  const [, hash] = /^\/media\/site\/logo-([\da-f]+)\.webp$/.exec(logoUrl) ?? [];
  return hash === undefined ? null : `/mail-pictures/logo-${hash}.png`;
}
