import { sql } from 'kysely';
import type { Tx } from '#database/connect.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { identityProviders, providerTitle } from './providers/identity-providers.server.ts';
import { deletePasskey, listPasskeys } from './passkeys/passkey-queries.server.ts';
import { mailAccount } from './people/mail-account.server.ts';
import { updateUser, userById } from './people/user-queries.server.ts';
import { isStaff } from './policy.ts';
import type { SessionUser } from './sessions/session-context.server.ts';
import { findWaysIn, type WaysIn } from './ways-in-queries.server.ts';

type Services = Pick<AppServices, 'db' | 'env' | 'log'>;

export type RemoveWayInResult = { ok: true } | { ok: false; reason: 'missing' | 'last-way' };

/** Removes a passkey unless it is the last sign-in method. */
export async function removePasskey(
  services: Services,
  user: SessionUser,
  id: string,
): Promise<RemoveWayInResult> {
  const { db, log } = services;
  const result = await db.transaction().execute(async (tx): Promise<RemoveWayInResult> => {
    const ways = await lockWaysIn(tx, user.id);
    const isLeft = ways.hasPassword || ways.passkeys > 1 || opensByProvider(services, user, ways);
    const own = await listPasskeys(tx, user.id);
    if (!own.some((passkey) => passkey.id === id)) return { ok: false, reason: 'missing' };
    if (!isLeft) return { ok: false, reason: 'last-way' };
    await deletePasskey(tx, user.id, id);
    return { ok: true };
  });
  if (result.ok) log.info({ event: 'passkey-removed', userId: user.id }, 'passkey removed');
  return result;
}

/**
 * Disconnects a provider unless it is the last sign-in method, and notifies the owner by email. The
 * disconnect is stored, so that the next sign-in there does not reconnect the provider by a shared
 * address.
 */
export async function disconnectProvider(
  services: Services,
  user: SessionUser,
  provider: string,
): Promise<RemoveWayInResult> {
  const { db, env, log } = services;
  const result = await db.transaction().execute(async (tx): Promise<RemoveWayInResult> => {
    const ways = await lockWaysIn(tx, user.id);
    const others = ways.providers.filter(({ id }) => id !== provider);
    if (others.length === ways.providers.length) return { ok: false, reason: 'missing' };
    const isLeft =
      ways.hasPassword ||
      ways.passkeys > 0 ||
      opensByProvider(services, user, { ...ways, providers: others });
    if (!isLeft) return { ok: false, reason: 'last-way' };
    await tx
      .deleteFrom('accounts')
      .where('user_id', '=', user.id)
      .where('provider_id', '=', provider)
      .execute();
    const all = sql<string[]>`array_append(disconnected_providers, ${provider})`;
    await updateUser(tx, user.id).set({ disconnected_providers: all }).execute();
    const props = { fullName: user.fullName, provider: providerTitle(env, provider) };
    await mailAccount(tx, 'provider-disconnected', user, props);
    return { ok: true };
  });
  const event = 'provider-disconnected';
  if (result.ok) log.info({ event, userId: user.id, provider }, 'provider disconnected');
  return result;
}

/**
 * Rows are locked, so that two parallel removals cannot each keep the method that the other
 * removes.
 */
async function lockWaysIn(tx: Tx, userId: string): Promise<WaysIn> {
  await userById(tx, userId).select('id').forUpdate().execute();
  return findWaysIn(tx, userId);
}

/**
 * Returns whether the user can sign in with a provider. Only configured providers count, and for
 * staff only with two-factor.
 */
function opensByProvider({ env }: Services, user: SessionUser, { providers }: WaysIn): boolean {
  if (isStaff(user.role) && !user.hasTwoFactor) return false;
  const configured = new Set<string>(identityProviders(env).map(({ id }) => id));
  return providers.some(({ id }) => configured.has(id));
}
