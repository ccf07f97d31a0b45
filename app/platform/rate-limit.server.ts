import { createHash } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import {
  type RateLimiterAbstract,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { addressKey, networkKey } from '#app/platform/address-key.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { type RateLimitName, rateLimits } from '#app/platform/rate-limits.ts';
import type { Db } from '#database/connect.ts';

export type LimitAnswer = { ok: true } | { ok: false; retryAfterSeconds: number };

type LimitServices = Pick<AppServices, 'db' | 'env' | 'primary'>;

/**
 * Counts one attempt, and returns whether it is within the limit. `key` is the visitor's IP
 * address, an email address or a user's id, as the table specifies, or '' for the whole site. The
 * counters are in the database, which all processes share.
 */
export async function limit(
  services: LimitServices,
  name: RateLimitName,
  key: string,
  points = 1,
): Promise<LimitAnswer> {
  const count = await countAttempt(services, name, key, { points });
  if (count === null || count.ok) return { ok: true };
  return { ok: false, retryAfterSeconds: count.resetsInSeconds };
}

/** The counter after an attempt. `most` attempts are allowed in a window of `seconds`. */
export type AttemptCount = NonNullable<Awaited<ReturnType<typeof countAttempt>>>;

/**
 * Counts an attempt like `limit`, for callers that report the remaining attempts. Returns null if
 * unlimited. `most` overrides the limit of the table.
 */
export async function countAttempt(
  services: LimitServices,
  name: RateLimitName,
  key: string,
  options: { points?: number; most?: number } = {},
) {
  const { points, seconds } = allowance(services, name);
  if (points === 0) return null;
  const most = options.most ?? points;
  const state = (ok: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes) => ({
    ok,
    most,
    seconds,
    remaining: ok ? Math.max(0, remainingPoints) : 0,
    resetsInSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  });
  const limiter = limiterFor(services.primary ?? services.db, name, most, seconds);
  try {
    return state(true, await limiter.consume(storedKey(name, key), options.points ?? 1));
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    return state(false, error);
  }
}

/** Returns the limit in force: the table's, or its override by `RATE_LIMITS`. */
export function allowance(
  { env }: Pick<AppServices, 'env'>,
  name: RateLimitName,
): { points: number; seconds: number } {
  return env.rateLimits[name] ?? rateLimits[name];
}

/** Returns the header of a refusal with status 429. */
export function retryAfter(answer: { retryAfterSeconds: number }): { 'retry-after': string } {
  return { 'retry-after': String(answer.retryAfterSeconds) };
}

function storedKey(name: RateLimitName, key: string): string {
  const { per } = rateLimits[name];
  if (per === 'address') return addressKey(key);
  return per === 'network' ? networkKey(key) : hashOf(key);
}

function hashOf(name: string): string {
  return createHash('sha256').update(name.trim().toLowerCase()).digest('base64url');
}

const waits = [
  { wrong: 20, seconds: 15 * 60 },
  { wrong: 10, seconds: 60 },
  { wrong: 5, seconds: 1 },
] as const;
const wrongsAreKeptForSeconds = 24 * 3600;

/**
 * Admits an attempt to sign in. Call this before checking a password, and `forgetWrongPasswords` if
 * the password was right. The attempt is counted at once, so that simultaneous guesses count too.
 * The waits grow but always end, so no attacker can lock an account for good. `guesser` is the
 * account's email for strangers. The account's own browsers and sessions are counted separately.
 */
export async function admitSignIn(services: LimitServices, guesser: string): Promise<LimitAnswer> {
  const { wrongs, wait } = signInCounters(services.db);
  const key = hashOf(guesser);
  const waiting = await wait.get(key);
  if (waiting !== null && waiting.msBeforeNext > 0) {
    return { ok: false, retryAfterSeconds: Math.ceil(waiting.msBeforeNext / 1000) };
  }
  const { consumedPoints } = await wrongs.consume(key);
  const due = waits.find((step) => consumedPoints >= step.wrong);
  if (!due) return { ok: true };
  // Simultaneous attempts all found no wait. One of them starts the wait, and the others find it
  // started.
  try {
    await wait.consume(key, 1, { customDuration: due.seconds });
    return { ok: true };
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    await wait.block(key, due.seconds);
    return { ok: false, retryAfterSeconds: due.seconds };
  }
}

export async function forgetWrongPasswords({ db }: LimitServices, guesser: string): Promise<void> {
  const { wrongs, wait } = signInCounters(db);
  const key = hashOf(guesser);
  await Promise.all([wrongs.delete(key), wait.delete(key)]);
}

const made = new WeakMap<Db, Map<string, RateLimiterAbstract>>();

function limiterFor(db: Db, name: string, points: number, seconds: number): RateLimiterAbstract {
  const limiters = made.get(db) ?? new Map<string, RateLimiterAbstract>();
  made.set(db, limiters);
  const id = `${name} ${points} ${seconds}`;
  const known = limiters.get(id);
  if (known) return known;
  const limiter = new RateLimiterPostgres({
    storeClient: { query: (query: { text: string; values: unknown[] }) => ask(db, query) },
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false, // A job deletes expired counters.
    keyPrefix: name,
    points,
    duration: seconds,
    inMemoryBlockOnConsumed: points + 1, // A refused key causes no further queries.
  });
  limiters.set(id, limiter);
  return limiter;
}

function signInCounters(db: Db) {
  return {
    wrongs: limiterFor(db, 'sign-in-account', 1_000_000, wrongsAreKeptForSeconds),
    wait: limiterFor(db, 'sign-in-wait', 1, 1),
  };
}

/**
 * Runs a statement on the same pool as everything else, so that a lost database is one incident
 * instead of two.
 */
async function ask(db: Db, { text, values }: { text: string; values: unknown[] }) {
  const { rows } = await db.executeQuery<{ points: number; expire: number }>(
    CompiledQuery.raw(text, values),
  );
  // The library checks `rowCount` to find out whether a row exists.
  return { rows, rowCount: rows.length };
}
