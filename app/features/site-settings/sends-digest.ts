import type { Env } from '#app/platform/env.server.ts';
import { mailEnvOf } from './mail-env.ts';
import type { SiteSettings } from './site-settings.ts';

/**
 * Returns whether the weekly digest is sent at all with this mail server. If not, no page may
 * promise it.
 */
export function sendsDigest(
  settings: Pick<SiteSettings, 'digestEnabled' | 'postalAddress' | 'mailServer'>,
  env: Pick<Env, 'mail'>,
): boolean {
  const { digestEnabled, postalAddress } = settings;
  return digestEnabled && postalAddress !== '' && mailEnvOf(env, settings).smtp !== null;
}
