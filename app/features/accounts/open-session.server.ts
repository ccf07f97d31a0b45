import type { Tx } from '#database/connect.ts';
import { authOn } from './auth.server.ts';
import { newToken } from './hash-token.server.ts';
import { writeCookie } from './session-cookie.server.ts';
import { absoluteSeconds, idleSeconds, mostSessionsPerUser } from './session-times.ts';

/** Where a session is used from, for the list its owner sees. */
export interface SessionPlace {
  origin: string;
  address: string;
  userAgent: string;
  /** What `readDeviceMark` found. */
  deviceMark?: string | null;
}

/** How its owner showed who they are, as far as a later question depends on it. */
export interface SessionWay {
  byPasskey?: boolean;
}

/**
 * A session with a token nobody knew before (R10), for the user's present rights. Answers the cookie that carries it.
 * Past the most a user may have, the oldest end.
 */
export async function openSession(
  tx: Tx,
  userId: string,
  place: SessionPlace,
  { byPasskey = false }: SessionWay = {},
): Promise<string> {
  const { role, role_version: roleVersion } = await tx
    .selectFrom('users')
    .select(['role', 'role_version'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const token = newToken();
  const { store } = await authOn(tx, { origin: place.origin });
  const expiresAt = new Date(Date.now() + idleSeconds(role) * 1000);
  const details = {
    token,
    expiresAt,
    roleVersion,
    byPasskey,
    ipAddress: place.address,
    userAgent: place.userAgent.slice(0, 300),
  };
  await store.createSession(userId, false, details, true);
  await endOldest(tx, userId);
  return writeCookie('session', token, { origin: place.origin, seconds: absoluteSeconds });
}

async function endOldest(tx: Tx, userId: string): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('id', 'in', (query) =>
      query
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .offset(mostSessionsPerUser),
    )
    .execute();
}
