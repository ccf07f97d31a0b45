import { setTimeout as wait } from 'node:timers/promises';
import { ask } from '#database/ask.ts';
import { connect, type Connection, type Db } from '#database/connect.ts';
import type { PageListener } from '#server/page-invalidation.ts';

/** ms; a standby with a longer lag serves no requests */
export const mostBehindInMs = 2_000;
const pulseInMs = 250;
/** ms; after that, the primary takes over, so that a dead connection delays a visitor no longer */
const patienceInMs = 1_000;
/** ms; the longest time that standbys serve alone, the same as for stale pages */
const longestAloneInMs = 600_000;
/**
 * ms; a primary that is cut off from its standbys remains primary for this long, but acknowledges
 * no writes
 */
const longestCutOffInMs = 30_000;

/** A position in the primary's log at a time. `position` is in bytes. */
interface Mark {
  at: number;
  position: bigint;
}

interface Standby {
  name: string;
  connection: Connection;
  /** The time before which all commits are visible on this standby. */
  hasAllUntil: number;
  /**
   * The last known `hasAllUntil`, kept when the standby can no longer be compared with the primary.
   */
  hadAllUntil: number;
  /**
   * The positions that the standby has replayed and received. null if they are unknown, or if the
   * server is no longer a standby.
   */
  place: { replayed: bigint; received: bigint } | null;
  reads: number;
}

/**
 * The standbys in `DATABASE_URL_READ`. A standby may serve if it lags less than two seconds and has
 * every announced change: a page from older rows would stay cached after its invalidation. While
 * the primary is unreachable, nothing can be written. A standby that has everything that any
 * standby has may then serve too, but nothing from it is cached.
 */
export class Standbys implements PageListener {
  readonly #primary: Db;
  readonly #standbys: Standby[];
  readonly #now: () => number;
  /** The primary's recent log positions, the newest last, up to the longest permitted lag. */
  #marks: Mark[] = [];
  #newsAt: number;
  /** The time since which notifications have been missing, or null. */
  #deafSince: number | null;
  #turn = 0;
  #isStopped = false;

  constructor(
    primary: Db,
    urls: readonly string[],
    {
      maxConnections = 10,
      now = () => performance.now(),
    }: { maxConnections?: number; now?: () => number } = {},
  ) {
    this.#primary = primary;
    this.#now = now;
    this.#newsAt = now();
    this.#deafSince = now();
    this.#standbys = urls.map((url) => ({
      name: new URL(url).host,
      // Unreachable standbys show in `dealhub_standby_reads_total` and `doctor`, so attempts are
      // not logged.
      connection: connect(url, { maxConnections, statementTimeout: patienceInMs }),
      hasAllUntil: -Infinity,
      hadAllUntil: -Infinity,
      place: null,
      reads: 0,
    }));
  }

  /** The number of reads per standby. */
  get reads(): { name: string; reads: number }[] {
    return this.#standbys.map(({ name, reads }) => ({ name, reads }));
  }

  /**
   * Returns the next standby in rotation that has everything visitors may have seen, or null to use
   * the primary.
   */
  choose({ isPrimaryAway = this.#deafSince !== null } = {}): Db | null {
    const upToDate = this.#standbys.filter((one) => this.#isUpToDate(one));
    const fit =
      upToDate.length === 0 && isPrimaryAway
        ? this.#standbys.filter((one) => this.#mayAnswerAlone(one))
        : upToDate;
    const chosen = fit[this.#turn++ % fit.length];
    if (!chosen) return null;
    chosen.reads++;
    return chosen.connection.db;
  }

  /** Returns whether values read from the standby now may still be cached. */
  isUpToDate(db: Db): boolean {
    return this.#standbys.some((one) => one.connection.db === db && this.#isUpToDate(one));
  }

  invalidate(): void {
    this.#newsAt = this.#now();
  }

  trust(isTrusted: boolean): void {
    this.#newsAt = this.#now();
    this.#deafSince = isTrusted ? null : (this.#deafSince ?? this.#newsAt);
  }

  /** Polls each standby's position until `stop`. */
  watch(): void {
    void this.#repeat(() => this.mark());
    for (const one of this.#standbys) void this.#repeat(() => this.#look(one));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#standbys.map(({ connection }) => connection.close()));
  }

  /** Records the position of the primary's log. */
  async mark(): Promise<void> {
    const at = this.#now();
    const position = await askPosition(this.#primary);
    if (position === null) return;
    this.#marks = this.#marks.filter((mark) => at - mark.at < mostBehindInMs);
    this.#marks.push({ at, position });
  }

  /** Polls the state of every standby. */
  async look(): Promise<void> {
    await Promise.all(this.#standbys.map((one) => this.#look(one)));
  }

  async #look(one: Standby): Promise<void> {
    one.place = await askPlace(one.connection.db);
    const { replayed } = one.place ?? {};
    one.hasAllUntil =
      replayed === undefined
        ? -Infinity
        : (this.#marks.findLast((mark) => mark.position <= replayed)?.at ?? -Infinity);
    one.hadAllUntil = Math.max(one.hadAllUntil, one.hasAllUntil);
  }

  #isUpToDate({ hasAllUntil }: Standby): boolean {
    if (this.#deafSince !== null || hasAllUntil <= this.#newsAt) return false;
    return this.#now() - hasAllUntil < mostBehindInMs;
  }

  /**
   * Returns whether a standby may serve without the primary. The standby must have been up to date
   * shortly before the primary was lost, and must have everything that any standby received. A
   * synchronous standby has received all acknowledged writes: the primary acknowledges none that it
   * has not sent.
   */
  #mayAnswerAlone({ place, hadAllUntil }: Standby): boolean {
    const now = this.#now();
    const lostAt = this.#deafSince ?? now;
    if (!place || lostAt - hadAllUntil > longestCutOffInMs) return false;
    if (now - lostAt > longestAloneInMs) return false;
    const { replayed } = place;
    return this.#standbys.every((other) => !other.place || replayed >= other.place.received);
  }

  async #repeat(once: () => Promise<void>): Promise<void> {
    while (!this.#isStopped) {
      await once();
      await wait(pulseInMs, null, { ref: false });
    }
  }
}

/** Returns the position in bytes since the log began, or null if the server does not report it. */
async function askPosition(db: Db): Promise<bigint | null> {
  const asked = ask(db).value<string>`
    select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text`;
  const position = await asked.catch(() => null);
  return position === null ? null : BigInt(position);
}

/**
 * Returns the standby's position, or null for a promoted server, which the site uses through
 * DATABASE_URL instead.
 */
async function askPlace(db: Db): Promise<Standby['place']> {
  const asked = ask(db).row<{ replayed: string; received: string }>`
    select (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text as replayed,
           (coalesce(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0'::pg_lsn)::text as received
     where pg_is_in_recovery()`;
  const place = await asked.catch(() => null);
  return place && { replayed: BigInt(place.replayed), received: BigInt(place.received) };
}
