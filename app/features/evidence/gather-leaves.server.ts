import type { Db } from '#database/connect.ts';
import { hashBytes, hashLeaf } from './merkle-tree.server.ts';
import { type Leaf, type LeafKind, readLog } from './read-log.server.ts';

/** bytes of a leaf's facts: its deal, and the id of the previous price or of the voided line */
export const factBytes = 16;

/** Runs of consecutive ids: the first id of each, and its position among the leaves. */
export interface Runs {
  starts: number[];
  places: number[];
}

/** The hashes of a day's leaves. */
export interface Gathered {
  hashes: Buffer;
  facts: Buffer;
  runs: Runs;
  count: number;
  /** The id up to which the log is sealed. */
  last: number;
}

/**
 * the maximum number of leaves of a kind per day, about 64 MB of nodes; the rest wait for the next
 * day
 */
const mostLeaves = 1_000_000;

/** Reads the unsealed part of the log once, day by day. */
export function openLog(
  db: Db,
  kind: LeafKind,
  { now, ...range }: { after: number; through: number; trashSince: string; now: number },
) {
  const { after, through } = range;
  const leaves = readLog(db, kind, range);
  let waiting: Leaf | null = null;
  let last = after;
  /**
   * Returns the leaves before the first one dated `end` or later. A leaf dated in the future does
   * not end the day.
   */
  return async (end: number, first: number): Promise<Gathered> => {
    const day = new LeafBuffer(first);
    for (;;) {
      if (!waiting) {
        const next = await leaves.next();
        waiting = next.done ? null : next.value;
      }
      if (!waiting) {
        last = Math.max(last, through);
        return day.end(last);
      }
      if ((waiting.at >= end && waiting.at <= now) || day.count === mostLeaves) {
        last = Math.max(last, waiting.id - 1);
        return day.end(last);
      }
      day.add(waiting);
      waiting = null;
    }
  };
}

class LeafBuffer {
  count = 0;
  private hashes = Buffer.allocUnsafe(0);
  private facts = Buffer.allocUnsafe(0);
  private readonly runs: Runs = { starts: [], places: [] };
  private lastId = -1;
  private readonly first: number;

  constructor(first: number) {
    this.first = first;
  }

  add({ id, deal, fact, text }: Leaf): void {
    const { count } = this;
    if (this.hashes.length === count * hashBytes) {
      const room = Math.max(64, count);
      this.hashes = Buffer.concat([this.hashes, Buffer.allocUnsafe(room * hashBytes)]);
      this.facts = Buffer.concat([this.facts, Buffer.allocUnsafe(room * factBytes)]);
    }
    this.hashes.set(hashLeaf(text), count * hashBytes);
    this.facts.writeBigInt64BE(BigInt(deal), count * factBytes);
    this.facts.writeBigInt64BE(BigInt(fact), count * factBytes + 8);
    if (id !== this.lastId + 1) {
      this.runs.starts.push(id);
      this.runs.places.push(this.first + count);
    }
    this.lastId = id;
    this.count++;
  }

  end(last: number): Gathered {
    const { count, runs } = this;
    return {
      hashes: this.hashes.subarray(0, count * hashBytes),
      facts: this.facts.subarray(0, count * factBytes),
      runs,
      count,
      last,
    };
  }
}
