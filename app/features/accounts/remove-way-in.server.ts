import type { Tx } from '#database/connect.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { newToken } from './hash-token.server.ts';
import { identityProviders, providerTitle } from './providers/identity-providers.server.ts';
import { deletePasskey } from './passkeys/passkey-queries.server.ts';
import { isStaff } from './policy.ts';
import type { SessionUser } from './sessions/session-context.server.ts';
import { findWaysIn, type WaysIn } from './ways-in-queries.server.ts';

type Services = Pick<AppServices, 'db' | 'env' | 'log'>;

export type RemoveWayInResult = { ok: true } | { ok: false; reason: 'missing' | 'last-way' };

/** A passkey of the user's own goes, unless nothing else opens the account. */
export async function removePasskey(
  services: Services,
  user: SessionUser,
  id: string,
): Promise<RemoveWayInResult> {
  const { db, log } = services;
  const result = await db.transaction().execute(async (tx): Promise<RemoveWayInResult> => {
    const ways = await lockWaysIn(tx, user.id);
    const isLeft = ways.hasPassword || ways.passkeys > 1 || opensByProvider(services, user, ways);
    const isOwn = await tx
      .selectFrom('passkeys')
      .select('id')
      .where('user_id', '=', user.id)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!isOwn) return { ok: false, reason: 'missing' };
    if (!isLeft) return { ok: false, reason: 'last-way' };
    await deletePasskey(tx, user.id, id);
    return { ok: true };
  });
  if (result.ok) log.info({ event: 'passkey-removed', userId: user.id }, 'passkey removed');
  return result;
}

/**
 * Google, GitHub or the own provider opens the account no more, unless nothing else does. It is remembered, so that a
 * shared address does not connect it again at the next sign-in there. The owner hears of it by mail.
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
    await tx
      .updateTable('users')
      .set((eb) => ({
        disconnected_providers: eb.fn('array_append', ['disconnected_providers', eb.val(provider)]),
      }))
      .where('id', '=', user.id)
      .execute();
    await queueMail(tx, {
      key: `provider-disconnected:${newToken()}`,
      kind: 'provider-disconnected',
      to: user.email,
      userId: user.id,
      props: { fullName: user.fullName, provider: providerTitle(env, provider) },
    });
    return { ok: true };
  });
  if (result.ok) {
    log.info(
      { event: 'provider-disconnected', userId: user.id, provider },
      'provider disconnected',
    );
  }
  return result;
}

/** Locked, so that two at once do not each leave the other as the last one. */
async function lockWaysIn(tx: Tx, userId: string): Promise<WaysIn> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
  return findWaysIn(tx, userId);
}

/** One whose keys are set; and staff are let in by it with a second step only. */
function opensByProvider(
  { env }: Services,
  user: Pick<SessionUser, 'role' | 'hasTwoFactor'>,
  { providers }: WaysIn,
): boolean {
  if (isStaff(user.role) && !user.hasTwoFactor) return false;
  const configured = new Set<string>(identityProviders(env).map(({ id }) => id));
  return providers.some(({ id }) => configured.has(id));
}
