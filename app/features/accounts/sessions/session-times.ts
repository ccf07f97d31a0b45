import type { Role } from '#database/schema/account-tables.ts';

const hour = 3600;
const day = 24 * hour;

/** However often it is used, a session ends this long after signing in (R10). */
export const absoluteSeconds = 30 * day;

/** How long a session may lie idle (R10). Staff's ends the same day. */
export function idleSeconds(role: Role): number {
  return role === 'user' ? 14 * day : 12 * hour;
}

/** A session in use is written to at most this often. */
export const touchEverySeconds = 300;

export const mostSessionsPerUser = 20;
