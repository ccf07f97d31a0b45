import type { Env, MailEnv } from '#app/platform/env.server.ts';
import type { SiteSettings } from './site-settings.ts';

/**
 * Returns the mail configuration: the environment's, or if it names no server, the one in the
 * settings without its password.
 */
export function mailEnvOf(
  { mail }: Pick<Env, 'mail'>,
  { mailServer }: Pick<SiteSettings, 'mailServer'>,
): MailEnv {
  if (mail.smtp !== null || mailServer === null) return mail;
  const { host, port, user, from } = mailServer;
  const smtp = { host, port, user: user || null, password: null };
  return { ...mail, smtp, from: from || mail.from };
}
