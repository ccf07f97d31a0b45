import type { AppServices } from '#app/platform/app-context.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { findWeakPasswordReasons, type WeakPasswordReason } from './find-weak-password-reasons.ts';

/** Returns the reasons why this person may not use this password; empty for a good one. */
export async function judgePassword(
  { db, env }: Pick<AppServices, 'db' | 'env'>,
  password: string,
  { email, fullName }: { email: string; fullName: string },
): Promise<WeakPasswordReason[]> {
  const { siteName } = await readSiteSettings(db);
  return findWeakPasswordReasons(password, {
    minLength: env.passwordMinLength,
    about: [email, fullName, siteName, new URL(env.origin).hostname],
  });
}
