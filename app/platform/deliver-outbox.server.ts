import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { Log } from '#app/platform/log.server.ts';
import { SafeFetchError } from '#app/platform/safe-fetch.server.ts';
import type { Db } from '#database/connect.ts';
import { errorMessage } from '#database/error-code.ts';
import type { Database } from '#database/schema.ts';

interface OutboxRow {
  id: number;
  attempts: number;
}

const usualLimits = {
  leaseSeconds: 60,
  /** rows per claim */
  batch: 20,
  /** rows that are sent at the same time */
  atOnce: 5,
  firstPauseSeconds: 60,
  longestPauseSeconds: 4 * 3600,
};
type OutboxLimits = typeof usualLimits;

/** A table whose rows the worker sends, with the columns that `note` below writes. */
export interface Outbox<Row extends OutboxRow> {
  table: keyof Database;
  /** The noun for one row in log messages. */
  noun: string;
  /** Selects the ids of at most `batch` rows to claim, `for update skip locked` (see `isFree`). */
  due(batch: number): RawBuilder<unknown>;
  /** The order in which the rows of one claim are sent. */
  order: RawBuilder<unknown>;
  /** The condition under which a row is not retried after this failure. */
  isGivenUp: RawBuilder<unknown>;
  limits?: Partial<OutboxLimits>;
  /** Whether to claim only once, instead of until nothing is due. */
  isOneBatch?: boolean;
  /** The fields of a row that may be logged. */
  facts(row: Row): object;
  /** Runs once for each claim, under its lease. Returns a function that sends one row. */
  prepare(): Promise<(row: Row, lost: AbortSignal) => Promise<Verdict>>;
}

/** The outcome of one attempt. An error counts as `later`, with its own message. */
export interface Verdict {
  state: 'sent' | 'failed' | 'cancelled' | 'kept' | 'later';
  /** The text for `last_error`, which stays unchanged if undefined. */
  words?: string | null;
  /** Fields for the log. */
  facts?: object;
  /** Further columns to set. */
  set?: RawBuilder<unknown>;
  /** The delay that the receiver asks for, with `later`. */
  atLeastSeconds?: number | null;
  /** Runs once the outcome is stored. `pause` is the number of seconds until the next attempt. */
  afterwards?(pause: number): Promise<void>;
}

export interface OutboxWorker {
  /** Overrides the outbox's own limits. */
  limits?: Partial<OutboxLimits>;
  /** Aborted when the process stops: rows in progress are finished, and no others are started. */
  signal?: AbortSignal;
  /** Returns a number from 0 up to 1, for the jitter. */
  random?: () => number;
}

/** The condition that a row is queued without a valid lease. */
export const isFree = sql`state = 'queued' and (lease_until is null or lease_until < now())`;

/** One claim of an outbox, whose rows belong to `owner` as long as the lease is renewed. */
interface Claim extends Pick<Outbox<OutboxRow>, 'table' | 'noun' | 'isGivenUp'> {
  db: Db;
  log: Log;
  limits: OutboxLimits;
  owner: string;
}

/**
 * Sends every due row, batch by batch, and returns the number of claimed ones. Among any number of
 * processes, a row belongs to the one that holds its lease, by the database's clock. The lease is
 * renewed while the row is sent. After a crash or a lost response the row is sent again. Delivery
 * is at least once, so receivers must be able to recognize duplicates.
 */
export async function deliverOutbox<Row extends OutboxRow>(
  { db, log }: Pick<AppServices, 'db' | 'log'>,
  outbox: Outbox<Row>,
  worker: OutboxWorker,
): Promise<number> {
  const { table, noun, isGivenUp } = outbox;
  const limits = { ...usualLimits, ...outbox.limits, ...worker.limits };
  let claimed = 0;
  while (!worker.signal?.aborted) {
    const claim = { db, log, table, noun, isGivenUp, limits, owner: randomUUID() };
    const { rows } = await sql<Row>`
      with claimed as (
        update ${sql.table(table)}
           set lease_owner = ${claim.owner}, attempts = attempts + 1, lease_until = ${inSeconds(limits.leaseSeconds)}
         where id in (${outbox.due(limits.batch)}) returning *)
      select * from claimed order by ${outbox.order}`.execute(db);
    if (rows.length === 0) break;
    claimed += rows.length;
    await deliverRows(claim, outbox, worker, rows);
    if (outbox.isOneBatch) break;
  }
  return claimed;
}

async function deliverRows<Row extends OutboxRow>(
  claim: Claim,
  outbox: Outbox<Row>,
  worker: OutboxWorker,
  rows: Row[],
): Promise<void> {
  const waiting = [...rows];
  const { lost, stop } = keepLease(claim, rows);
  try {
    const send = await outbox.prepare();
    const work = async () => {
      while (!worker.signal?.aborted && !lost.aborted) {
        const row = waiting.shift();
        if (!row) return;
        const facts = outbox.facts(row);
        const verdict = await send(row, lost).catch((error) => excuse(claim, facts, error));
        await settle(claim, lost, row, facts, verdict, worker.random ?? Math.random);
      }
    };
    // All rows finish before the lease is released, even if one fails.
    const ends = await Promise.allSettled(Array.from({ length: claim.limits.atOnce }, work));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
  } finally {
    stop();
    await release(claim, waiting);
  }
}

/**
 * Converts an error to a verdict. A receiver that does not respond, or that is not allowed, is
 * expected. Any other error is our own mistake.
 */
function excuse({ log, noun }: Claim, facts: object, error: unknown): Verdict {
  if (!(error instanceof SafeFetchError))
    log.error({ ...facts, err: error }, `a ${noun} could not be written`);
  return { state: 'later', words: errorMessage(error).slice(0, 500) };
}

async function settle(
  claim: Claim,
  lost: AbortSignal,
  { id, attempts }: OutboxRow,
  facts: object,
  verdict: Verdict,
  random: () => number,
): Promise<void> {
  const { log, noun, limits } = claim;
  const asked = Math.min(verdict.atLeastSeconds ?? 0, limits.longestPauseSeconds * 2);
  const pause = Math.max(pauseSeconds(attempts, limits, random), asked);
  const state = await insist(lost, () => note(claim, id, verdict, pause));
  const told = { ...facts, outcome: verdict.state, ...verdict.facts };
  if (state === null)
    return log.warn(told, `the lease of a ${noun} expired before its outcome could be recorded`);
  if (state === 'failed') log.warn(told, `a ${noun} was given up`);
  else log.info(told, noun);
  await verdict.afterwards?.(pause);
}

/**
 * Returns the next pause: the first pause, doubled after each failure up to the longest. The pause
 * varies by a quarter either way to avoid a thundering herd.
 */
export function pauseSeconds(
  attempts: number,
  limits: Pick<OutboxLimits, 'firstPauseSeconds' | 'longestPauseSeconds'>,
  random: () => number,
): number {
  const plain = limits.firstPauseSeconds * 2 ** Math.min(attempts - 1, 20);
  return Math.min(plain, limits.longestPauseSeconds) * (0.75 + random() * 0.5);
}

/**
 * Stores the outcome and returns the row's new state, or null if the lease was lost. A row that was
 * cancelled in the meantime is not retried.
 */
async function note(
  { db, table, isGivenUp, owner }: Claim,
  id: number,
  { state, words, set }: Verdict,
  pause: number,
): Promise<string | null> {
  const { rows } = await sql<{ state: string }>`
    update ${sql.table(table)} set
      state = case
        when ${state} <> 'later' then ${state}
        when ${isGivenUp} then 'failed'
        else state end,
      sent_at = case when ${state} = 'sent' then now() end,
      last_error = ${words === undefined ? sql`last_error` : words},
      due_at = case when ${state} = 'later' then ${inSeconds(pause)} else due_at end,
      lease_until = null, lease_owner = null ${set ? sql`, ${set}` : sql``}
    where id = ${id} and lease_owner = ${owner} and state in ('queued', 'cancelled')
    returning state`.execute(db);
  return rows[0]?.state ?? null;
}

/**
 * Retries a write. The outcome must survive a short outage of the database, since a lost success is
 * sent twice.
 */
async function insist<Result>(lost: AbortSignal, act: () => Promise<Result>): Promise<Result> {
  for (let pause = 200; ; pause *= 2) {
    try {
      return await act();
    } catch (error) {
      if (lost.aborted || pause > 20_000) throw error;
      await sleep(pause);
    }
  }
}

/**
 * Renews a lease every third of its duration. `lost` is aborted if no renewal succeeded in time.
 */
function keepLease(claim: Claim, rows: OutboxRow[]): { lost: AbortSignal; stop(): void } {
  const { leaseSeconds } = claim.limits;
  const lost = new AbortController();
  const lastFor = leaseSeconds * 900; // ms; a tenth shorter than the lease in the database
  let trustedUntil = performance.now() + lastFor;
  const beat = setInterval(
    () => {
      const askedAt = performance.now();
      if (askedAt > trustedUntil) return lost.abort();
      void changeOwn(claim, rows, sql`lease_until = ${inSeconds(leaseSeconds)}`).then(
        () => (trustedUntil = askedAt + lastFor),
        () => {}, // The next renewal tries again, or finds that the lease has expired.
      );
    },
    (leaseSeconds * 1000) / 3,
  );
  return { lost: lost.signal, stop: () => clearInterval(beat) };
}

/** Releases claimed rows that were not started, without counting an attempt. */
async function release(claim: Claim, rows: OutboxRow[]): Promise<void> {
  const untried = sql`lease_until = null, lease_owner = null, attempts = attempts - 1`;
  if (rows.length > 0) await changeOwn(claim, rows, untried);
}

/** Updates the rows that this claim still owns. */
function changeOwn(
  { db, table, owner }: Claim,
  rows: OutboxRow[],
  set: RawBuilder<unknown>,
): Promise<unknown> {
  const ids = rows.map(({ id }) => id);
  const own = sql`where id = any(${ids}) and lease_owner = ${owner}`;
  return sql`update ${sql.table(table)} set ${set} ${own}`.execute(db);
}

function inSeconds(seconds: number) {
  return sql`now() + make_interval(secs => ${seconds})`;
}
