import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { Role } from '#database/schema/account-tables.ts';
import type { Holder } from '../policy.ts';
import { setRightsOf } from '../people/set-rights.server.ts';
import { hashToken } from '../hash-token.server.ts';

const hour = 3600;
const day = 24 * hour;

/** seconds; a session ends 30 days after signing in, regardless of use */
export const absoluteSeconds = 30 * day;

/**
 * Returns how many seconds a session may be idle. Staff sessions expire after 12 hours of
 * inactivity.
 */
export const idleSeconds = (role: Role) => (role === 'user' ? 14 * day : 12 * hour);

/** seconds; the minimum interval between writes to a session in use */
const touchEverySeconds = 300;

/**
 * The condition for a session `s` of a user `u` to be valid. A role change ends all sessions with
 * outdated rights at once, in every process. Sessions opened while the user is being suspended are
 * excluded too.
 */
const isOpen = sql<boolean>`
  s.expires_at > now() and u.suspended_at is null and s.role_version = u.role_version`;

interface OpenSession extends Holder {
  id: string;
  email: string;
  fullName: string;
  emailVerified: boolean;
  hasTwoFactor: boolean;
  sessionId: string;
  sessionExpiresAt: Date;
  byPasskey: boolean;
  isDueForTouch: boolean;
}

/** Returns the session of a cookie with its user, or `null` if the session has ended. */
export function findOpenSession(db: Db, token: string): Promise<OpenSession | null> {
  return ask(db).row<OpenSession>`/* often */
    select u.id, u.email, u.full_name as "fullName", u.role, u.right_set as "rightSet",
           ${setRightsOf('u')} as "setRights", u.email_verified as "emailVerified",
           u.two_factor_enabled as "hasTwoFactor", s.id as "sessionId",
           s.expires_at as "sessionExpiresAt", s.by_passkey as "byPasskey",
           s.updated_at < now() - make_interval(secs => ${touchEverySeconds}) as "isDueForTouch"
      from sessions s join users u on u.id = s.user_id
     where s.token = ${hashToken(token)} and ${isOpen}`;
}

/**
 * Records that the session is in use, which extends the session up to its absolute end. Returns the
 * new end.
 */
export async function touchSession(
  db: Db,
  { sessionId, role }: { sessionId: string; role: Role },
): Promise<Date | null> {
  const end = sql<Date>`least(created_at + make_interval(secs => ${absoluteSeconds}),
                              now() + make_interval(secs => ${idleSeconds(role)}))`;
  const row = await db
    .updateTable('sessions')
    .set({ updated_at: sql<Date>`now()`, expires_at: end })
    .where('id', '=', sessionId)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('expires_at')
    .executeTakeFirst();
  return row?.expires_at ?? null;
}

/** Returns whether the session is before its absolute end, so that use still extends it. */
export async function isRefreshable(db: Db, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('expires_at', '<', sql<Date>`created_at + make_interval(secs => ${absoluteSeconds})`)
    .executeTakeFirst();
  return row !== undefined;
}

export function listOwnSessions(db: Db, userId: string) {
  return db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .where(isOpen)
    .select(['s.id', 's.created_at as createdAt', 's.updated_at as lastSeenAt'])
    .select(({ fn, val }) => [
      fn.coalesce('s.user_agent', val('')).as('userAgent'),
      fn.coalesce('s.ip_address', val('')).as('address'),
    ])
    .where('s.user_id', '=', userId)
    .orderBy('s.updated_at', 'desc')
    .execute();
}

/** Returns whether the user had the session. Another user's session is treated as missing. */
export async function endSession(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends all of a user's sessions, except the one to keep. */
export async function endSessions(db: Db, userId: string, { keep = '' } = {}): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '<>', keep).execute();
}
