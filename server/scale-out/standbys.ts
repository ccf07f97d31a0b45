import { setTimeout as wait } from 'node:timers/promises';
import { ask } from '#database/ask.ts';
import { connect, type Connection, type Db } from '#database/connect.ts';
import type { PageListener } from '#server/page-invalidation.ts';

/** A standby this far behind answers nobody. */
export const mostBehindInMs = 2_000;
const pulseInMs = 250;
/** Whoever waits for longer is answered by the primary instead: a dead line must cost no visitor more. */
const patienceInMs = 1_000;
/** Without the primary for so long as old pages are shown without it (decision 027). */
const longestAloneInMs = 600_000;
/** A primary that is cut off from its standbys stays one for as long, and acknowledges nothing any more. */
const longestCutOffInMs = 30_000;

/** Where the log of the primary stood at a moment: `position` in bytes. */
interface Mark {
  at: number;
  position: bigint;
}

interface Standby {
  name: string;
  connection: Connection;
  /** Everything that was committed before this moment can be read here. */
  hasAllUntil: number;
  /** The same, and it stays when the standby can no longer be compared with the primary. */
  hadAllUntil: number;
  /** How far it has come, and how much of the log it has; null while it does not say, or is a standby no more. */
  place: { replayed: bigint; received: bigint } | null;
  reads: number;
}

/**
 * The standbys of `DATABASE_URL_READ`. One may answer while it is less than two seconds behind, and has all that the last
 * announced change left: a page made of older rows would be kept past the news of them (decision 070). While the primary is away
 * and nobody can write, one that has all that any of them has may answer too (decision 075); nothing of that is kept.
 */
export class Standbys implements PageListener {
  readonly #primary: Db;
  readonly #standbys: Standby[];
  readonly #now: () => number;
  /** The primary's log, the newest last, for no longer than a standby may be behind. */
  #marks: Mark[] = [];
  #newsAt: number;
  /** Since when no news is heard; null while it is. */
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
      // One that is away is told by `dealhub_standby_reads_total` and `doctor`, not in a line for each attempt.
      connection: connect(url, { maxConnections, statementTimeout: patienceInMs }),
      hasAllUntil: -Infinity,
      hadAllUntil: -Infinity,
      place: null,
      reads: 0,
    }));
  }

  /** How often each has answered. */
  get reads(): { name: string; reads: number }[] {
    return this.#standbys.map(({ name, reads }) => ({ name, reads }));
  }

  /** A standby that knows all that visitors may have seen, each in its turn; null: ask the primary. */
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

  /** Whether what it answers now may still be kept. */
  isUpToDate(db: Db): boolean {
    return this.#standbys.some((one) => one.connection.db === db && this.#isUpToDate(one));
  }

  empty(): void {
    this.#newsAt = this.#now();
  }

  trust(isTrusted: boolean): void {
    this.#newsAt = this.#now();
    this.#deafSince = isTrusted ? null : (this.#deafSince ?? this.#newsAt);
  }

  /** Keeps asking how far each is, until `stop`. */
  watch(): void {
    void this.#repeat(() => this.mark());
    for (const one of this.#standbys) void this.#repeat(() => this.#look(one));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#standbys.map(({ connection }) => connection.close()));
  }

  /** Notes where the primary's log stands. */
  async mark(): Promise<void> {
    const at = this.#now();
    const position = await askPosition(this.#primary);
    if (position === null) return;
    this.#marks = this.#marks.filter((mark) => at - mark.at < mostBehindInMs);
    this.#marks.push({ at, position });
  }

  /** Asks every standby what it has. */
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
   * It had everything shortly before the primary was lost, and has all that any standby was sent: a synchronous one was sent all
   * that was acknowledged. What the primary wrote and could not send is of no account: nobody was told that it is stored.
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

/** In bytes since the log began; null where the server does not say. */
async function askPosition(db: Db): Promise<bigint | null> {
  const asked = ask(db).value<string>`
    select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text`;
  const position = await asked.catch(() => null);
  return position === null ? null : BigInt(position);
}

/** A server that was promoted has none, and answers nobody from here: its way leads through DATABASE_URL. */
async function askPlace(db: Db): Promise<Standby['place']> {
  const asked = ask(db).row<{ replayed: string; received: string }>`
    select (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text as replayed,
           (coalesce(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0'::pg_lsn)::text as received
     where pg_is_in_recovery()`;
  const place = await asked.catch(() => null);
  return place && { replayed: BigInt(place.replayed), received: BigInt(place.received) };
}
