import { randomUUID } from 'node:crypto';
import type { Tx } from '#database/connect.ts';
import { hashToken, newToken } from '../hash-token.server.ts';
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
  const { role, role_version } = await tx
    .selectFrom('users')
    .select(['role', 'role_version'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const token = newToken();
  await tx
    .insertInto('sessions')
    .values({
      id: randomUUID(),
      user_id: userId,
      token: hashToken(token), // whoever reads the table is nobody
      role_version,
      by_passkey: byPasskey,
      expires_at: new Date(Date.now() + idleSeconds(role) * 1000),
      ip_address: place.address,
      user_agent: place.userAgent.slice(0, 300),
    })
    .execute();
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
