import {
  providerNames,
  providerTitle,
} from '#app/features/accounts/providers/identity-providers.server.ts';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { findWaysIn } from '#app/features/accounts/ways-in-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';

export interface WaysSummary {
  hasTwoFactor: boolean;
  passkeyCount: number;
  /** The names of connected providers. */
  providers: string[];
  /** Whether a provider is connected or can be. */
  hasProviders: boolean;
}

/** Counts a user's sign-in methods other than the password. */
export async function summariseWays(
  { db, env }: Pick<AppServices, 'db' | 'env'>,
  user: SessionUser,
): Promise<WaysSummary> {
  const { passkeys, providers } = await findWaysIn(db, user.id);
  return {
    hasTwoFactor: user.hasTwoFactor,
    passkeyCount: passkeys,
    providers: providers.map(({ id }) => providerTitle(env, id)),
    hasProviders: providers.length > 0 || providerNames(env).length > 0,
  };
}
