import type { Env } from '#app/platform/env.server.ts';
import { mailEnvOf } from './mail-env.ts';
import type { SiteSettings } from './site-settings.ts';

/**
 * Returns whether the site sends the weekly digest with this mail server. If it does not, no page
 * may promise the digest.
 */
export function sendsDigest(
  settings: Pick<SiteSettings, 'digestEnabled' | 'postalAddress' | 'mailServer'>,
  env: Pick<Env, 'mail'>,
): boolean {
  const { digestEnabled, postalAddress } = settings;
  return digestEnabled && postalAddress !== '' && mailEnvOf(env, settings).smtp !== null;
}
