import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import type { Log } from '#app/platform/log.server.ts';
import { SafeFetchError } from '#app/platform/safe-fetch.server.ts';
import type { Db } from '#database/connect.ts';
import { errorWords } from '#database/error-code.ts';
import type { Database } from '#database/schema.ts';

interface OutboxRow {
  id: number;
  attempts: number;
}

const usualLimits = {
  leaseSeconds: 60,
  /** How many rows one claim takes. */
  batch: 20,
  /** How many of them are under way at the same time. */
  atOnce: 5,
  firstPauseSeconds: 60,
  longestPauseSeconds: 4 * 3600,
};
type OutboxLimits = typeof usualLimits;

/** A table whose rows leave the site, with the columns that `note` below writes. */
export interface Outbox<Row extends OutboxRow> {
  table: keyof Database;
  /** What one row is called in the log. */
  noun: string;
  /** Selects the ids of at most `batch` rows to claim, `for update skip locked`; see `isFree`. */
  due(batch: number): RawBuilder<unknown>;
  /** In which order the rows of one claim leave. */
  order: RawBuilder<unknown>;
  /** True for a row that is not tried again after this failure. */
  isGivenUp: RawBuilder<unknown>;
  limits?: Partial<OutboxLimits>;
  /** Claims once instead of until nothing is due. */
  isOneBatch?: boolean;
  /** What the log may say of a row. */
  facts(row: Row): object;
  /** Runs once for each claim, under its lease; answers how to send one row. */
  prepare(): Promise<(row: Row, lost: AbortSignal) => Promise<Verdict>>;
}

/** What became of one try. An error counts as `later`, in its own words. */
export interface Verdict {
  state: 'sent' | 'failed' | 'cancelled' | 'kept' | 'later';
  /** For `last_error`, which stays as it was where nothing is said. */
  words?: string | null;
  /** What the log may say of it. */
  facts?: object;
  /** Further columns to set. */
  set?: RawBuilder<unknown>;
  /** `later`: how long the receiver asks us to wait. */
  atLeastSeconds?: number | null;
  /** Runs once the row says what became of it. `pause`: until the next try, in seconds. */
  afterwards?(pause: number): Promise<void>;
}

export interface OutboxWorker {
  /** In place of the outbox's own. */
  limits?: Partial<OutboxLimits>;
  /** Aborted when the process stops: what is under way ends, nothing else is begun. */
  signal?: AbortSignal;
  /** 0 up to 1, for the jitter. */
  random?: () => number;
}

/** True for a row that waits and that nobody holds. */
export const isFree = sql`state = 'queued' and (lease_until is null or lease_until < now())`;

/** One claim of an outbox: its rows belong to `owner` for as long as the lease is kept. */
interface Claim extends Pick<Outbox<OutboxRow>, 'table' | 'noun' | 'isGivenUp'> {
  db: Db;
  log: Log;
  limits: OutboxLimits;
  owner: string;
}

/**
 * Sends every row that is due, batch by batch; answers how many it claimed. Of any number of processes, a row belongs to
 * the one that holds its lease, by the database's clock (R52), renewed while it is sent (R08). After a crash or without
 * an answer the row is sent again: at least once, so it must be recognisable.
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
    // All of them end before the lease is given back, also when one fails.
    const ends = await Promise.allSettled(Array.from({ length: claim.limits.atOnce }, work));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
  } finally {
    stop();
    await release(claim, waiting);
  }
}

/** A receiver that does not answer, or that we may not ask, is expected; anything else is our own fault. */
function excuse({ log, noun }: Claim, facts: object, error: unknown): Verdict {
  if (!(error instanceof SafeFetchError))
    log.error({ ...facts, err: error }, `a ${noun} could not be written`);
  return { state: 'later', words: errorWords(error).slice(0, 500) };
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
    return log.warn(told, `the lease of a ${noun} ran out before its outcome could be noted`);
  if (state === 'failed') log.warn(told, `a ${noun} was given up`);
  else log.info(told, noun);
  await verdict.afterwards?.(pause);
}

/** The first pause, then twice as long each time, up to the longest; a quarter more or less, so that a crowd disperses. */
export function pauseSeconds(
  attempts: number,
  limits: Pick<OutboxLimits, 'firstPauseSeconds' | 'longestPauseSeconds'>,
  random: () => number,
): number {
  const plain = limits.firstPauseSeconds * 2 ** Math.min(attempts - 1, 20);
  return Math.min(plain, limits.longestPauseSeconds) * (0.75 + random() * 0.5);
}

/** The row's new state; null when the lease is no longer ours. A row cancelled on its way is not tried again. */
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

/** The receiver's answer must outlive a short outage of the database: a forgotten yes is sent twice. */
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

/** Renews a lease at a third of its time; `lost` is aborted when no renewal came through in time. */
function keepLease(claim: Claim, rows: OutboxRow[]): { lost: AbortSignal; stop(): void } {
  const { leaseSeconds } = claim.limits;
  const lost = new AbortController();
  const lastFor = leaseSeconds * 900; // milliseconds, a tenth less than the database grants
  let trustedUntil = performance.now() + lastFor;
  const beat = setInterval(
    () => {
      const askedAt = performance.now();
      if (askedAt > trustedUntil) return lost.abort();
      void changeOwn(claim, rows, sql`lease_until = ${inSeconds(leaseSeconds)}`).then(
        () => (trustedUntil = askedAt + lastFor),
        () => {}, // the next beat tries again, or finds that it is too late
      );
    },
    (leaseSeconds * 1000) / 3,
  );
  return { lost: lost.signal, stop: () => clearInterval(beat) };
}

/** What was claimed and not begun goes back untried. */
async function release(claim: Claim, rows: OutboxRow[]): Promise<void> {
  const untried = sql`lease_until = null, lease_owner = null, attempts = attempts - 1`;
  if (rows.length > 0) await changeOwn(claim, rows, untried);
}

/** Changes those of the rows that are still ours. */
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
