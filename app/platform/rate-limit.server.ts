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

type LimitServices = Pick<AppServices, 'db' | 'env'>;

/**
 * Counts one attempt and says whether it is within the limit. `key` is the visitor's address (`requestFacts(context)
 * .address`), an email or a user's id, as the table says; for a limit of the whole site it is ''. The counters lie in
 * the database, so that all processes share them and a restart forgets none.
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

/** Where a counter stands after an attempt. */
export interface AttemptCount {
  ok: boolean;
  /** How many are allowed in a window of `seconds`. */
  most: number;
  seconds: number;
  remaining: number;
  resetsInSeconds: number;
}

/** Like `limit`, for those who are told how much is left; null where nothing is limited. `most` replaces the table's. */
export async function countAttempt(
  services: LimitServices,
  name: RateLimitName,
  key: string,
  options: { points?: number; most?: number } = {},
): Promise<AttemptCount | null> {
  const { points, seconds } = allowance(services, name);
  if (points === 0) return null;
  const most = options.most ?? points;
  const state = (ok: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): AttemptCount => ({
    ok,
    most,
    seconds,
    remaining: ok ? Math.max(0, remainingPoints) : 0,
    resetsInSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  });
  const limiter = limiterFor(services.db, name, most, seconds);
  try {
    return state(true, await limiter.consume(storedKey(name, key), options.points ?? 1));
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    return state(false, error);
  }
}

/** The limit in force: the table's, or the one that `RATE_LIMITS` puts in its place. */
export function allowance(
  { env }: Pick<AppServices, 'env'>,
  name: RateLimitName,
): { points: number; seconds: number } {
  return env.rateLimits[name] ?? rateLimits[name];
}

/** What every refusal carries beside its status 429. */
export function retryAfter(answer: { retryAfterSeconds: number }): { 'retry-after': string } {
  return { 'retry-after': String(answer.retryAfterSeconds) };
}

function storedKey(name: RateLimitName, key: string): string {
  const { per } = rateLimits[name];
  if (per === 'address') return addressKey(key);
  if (per === 'network') return networkKey(key);
  return createHash('sha256').update(key.trim().toLowerCase()).digest('base64url');
}

const waits = [
  { wrong: 20, seconds: 15 * 60 },
  { wrong: 10, seconds: 60 },
  { wrong: 5, seconds: 1 },
] as const;
const wrongsAreKeptForSeconds = 24 * 3600;

/**
 * Asked before a password is looked at. It counts the attempt at once, so that guesses sent side by side are counted
 * too; call `forgetWrongPasswords` when the password was right. The waits grow with the wrong ones and always end:
 * nobody can lock an account for good. `guesser` is the account's email for strangers, and tells more for a browser or
 * session of the account's own, whose guesses are counted apart (R63).
 */
export async function admitSignIn(services: LimitServices, guesser: string): Promise<LimitAnswer> {
  const { wrongs, wait } = signInCounters(services.db);
  const key = createHash('sha256').update(guesser.trim().toLowerCase()).digest('base64url');
  const waiting = await wait.get(key);
  if (waiting !== null && waiting.msBeforeNext > 0) {
    return { ok: false, retryAfterSeconds: Math.ceil(waiting.msBeforeNext / 1000) };
  }
  const { consumedPoints } = await wrongs.consume(key);
  const due = waits.find((step) => consumedPoints >= step.wrong);
  if (!due) return { ok: true };
  // Those sent side by side all found nobody waiting. One of them begins the wait, the others are already in it.
  try {
    await wait.consume(key, 1, { customDuration: due.seconds });
    return { ok: true };
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    await wait.block(key, due.seconds);
    return { ok: false, retryAfterSeconds: due.seconds };
  }
}

export async function forgetWrongPasswords(
  services: LimitServices,
  guesser: string,
): Promise<void> {
  const { wrongs, wait } = signInCounters(services.db);
  const key = createHash('sha256').update(guesser.trim().toLowerCase()).digest('base64url');
  await Promise.all([wrongs.delete(key), wait.delete(key)]);
}

const made = new WeakMap<Db, Map<string, RateLimiterAbstract>>();

function limiterFor(db: Db, name: string, points: number, seconds: number): RateLimiterAbstract {
  let limiters = made.get(db);
  if (!limiters) made.set(db, (limiters = new Map()));
  const id = `${name} ${points} ${seconds}`;
  let limiter = limiters.get(id);
  if (!limiter) {
    limiter = new RateLimiterPostgres({
      storeClient: { query: (query: { text: string; values: unknown[] }) => ask(db, query) },
      storeType: 'client',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false, // a job does it
      keyPrefix: name,
      points,
      duration: seconds,
      inMemoryBlockOnConsumed: points + 1, // who is refused already costs no query
    });
    limiters.set(id, limiter);
  }
  return limiter;
}

function signInCounters(db: Db) {
  return {
    wrongs: limiterFor(db, 'sign-in-account', 1_000_000, wrongsAreKeptForSeconds),
    wait: limiterFor(db, 'sign-in-wait', 1, 1),
  };
}

/** Through the same pool as everything else, so that a lost database is one story and not two. */
async function ask(db: Db, { text, values }: { text: string; values: unknown[] }) {
  const { rows } = await db.executeQuery<{ points: number; expire: number }>(
    CompiledQuery.raw(text, values),
  );
  return { rows, rowCount: rows.length }; // the limiter tells by the count that there is no row
}
