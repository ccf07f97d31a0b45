import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { Role } from '#database/schema/account-tables.ts';
import { hashToken } from '../hash-token.server.ts';
import { absoluteSeconds, idleSeconds, touchEverySeconds } from './session-times.ts';

export interface OpenSession {
  id: string;
  userId: string;
  email: string;
  fullName: string;
  role: Role;
  emailVerified: boolean;
  hasTwoFactor: boolean;
  byPasskey: boolean;
  expiresAt: Date;
  isDueForTouch: boolean;
}

/**
 * The session behind a cookie, with its user; null when it has ended. Comparing the role's version ends every
 * session opened with older rights at once, in every process (R10).
 */
export async function findOpenSession(db: Db, token: string): Promise<OpenSession | null> {
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.id', 's.user_id as userId', 's.expires_at as expiresAt'])
    .select(['u.email', 'u.full_name as fullName', 'u.role'])
    .select(['u.email_verified as emailVerified', 'u.two_factor_enabled as hasTwoFactor'])
    .select('s.by_passkey as byPasskey')
    .select(
      sql<boolean>`s.updated_at < now() - make_interval(secs => ${touchEverySeconds})`.as(
        'isDueForTouch',
      ),
    )
    .where('s.token', '=', hashToken(token))
    .where('s.expires_at', '>', sql<Date>`now()`)
    .whereRef('s.role_version', '=', 'u.role_version')
    .executeTakeFirst();
  return row ?? null;
}

/** Notes that the session is in use, which moves its end; never past the absolute one. Answers the new end. */
export async function touchSession(
  db: Db,
  session: { id: string; role: Role },
): Promise<Date | null> {
  const row = await db
    .updateTable('sessions')
    .set({ updated_at: sql<Date>`now()`, expires_at: endOfSession(session.role) })
    .where('id', '=', session.id)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('expires_at')
    .executeTakeFirst();
  return row?.expires_at ?? null;
}

/** Whether using it can still move its end: the absolute one stands. */
export async function isRefreshable(db: Db, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('expires_at', '<', sql<Date>`created_at + make_interval(secs => ${absoluteSeconds})`)
    .executeTakeFirst();
  return row !== undefined;
}

function endOfSession(role: Role) {
  return sql<Date>`least(created_at + make_interval(secs => ${absoluteSeconds}),
                         now() + make_interval(secs => ${idleSeconds(role)}))`;
}

export interface OwnSession {
  id: string;
  userAgent: string;
  address: string;
  createdAt: Date;
  lastSeenAt: Date;
}

export function listOwnSessions(db: Db, userId: string): Promise<OwnSession[]> {
  return db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.id', 's.created_at as createdAt', 's.updated_at as lastSeenAt'])
    .select(({ fn, val }) => [
      fn.coalesce('s.user_agent', val('')).as('userAgent'),
      fn.coalesce('s.ip_address', val('')).as('address'),
    ])
    .where('s.user_id', '=', userId)
    .where('s.expires_at', '>', sql<Date>`now()`)
    .whereRef('s.role_version', '=', 'u.role_version')
    .orderBy('s.updated_at', 'desc')
    .execute();
}

/** Answers whether there was such a session of this user: a stranger's counts as missing (R03). */
export async function endSession(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function endSessions(
  db: Db,
  userId: string,
  options: { keep?: string } = {},
): Promise<number> {
  let query = db.deleteFrom('sessions').where('user_id', '=', userId);
  if (options.keep !== undefined) query = query.where('id', '<>', options.keep);
  return Number((await query.executeTakeFirst()).numDeletedRows);
}
