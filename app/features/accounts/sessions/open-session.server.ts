import { randomUUID } from 'node:crypto';
import type { Tx } from '#database/connect.ts';
import { hashToken, newToken } from '../hash-token.server.ts';
import { userById } from '../people/user-queries.server.ts';
import { writeCookie } from './session-cookie.server.ts';
import { absoluteSeconds, idleSeconds } from './session-queries.server.ts';

const mostSessionsPerUser = 20;

/** The browser and address of a session, shown in its owner's list. */
export interface SessionPlace {
  origin: string;
  address: string;
  userAgent: string;
  /** The result of `readDeviceCookie`. */
  deviceToken?: string | null;
}

/**
 * Opens a session with a new token and the user's current rights, and returns its cookie. If the
 * user has too many sessions, the oldest ones end.
 */
export async function openSession(
  tx: Tx,
  userId: string,
  place: SessionPlace,
  { byPasskey = false } = {},
): Promise<string> {
  const { role, role_version } = await userById(tx, userId)
    .select(['role', 'role_version'])
    .executeTakeFirstOrThrow();
  const token = newToken();
  await tx
    .insertInto('sessions')
    .values({
      id: randomUUID(),
      user_id: userId,
      token: hashToken(token), // The table stores a hash, so read access to the table cannot open a session.
      role_version,
      by_passkey: byPasskey,
      expires_at: new Date(Date.now() + idleSeconds(role) * 1000),
      ip_address: place.address,
      user_agent: place.userAgent.slice(0, 300),
    })
    .execute();
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
  return writeCookie('session', token, { origin: place.origin, seconds: absoluteSeconds });
}
