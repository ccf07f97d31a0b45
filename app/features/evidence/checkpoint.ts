/** A signed statement about one day of the price log. Its ids are the newest that it covers. */
export interface Checkpoint {
  /** The day in UTC, such as `2026-11-29`. */
  day: string;
  /** The number of new prices, and the newest id that is covered. */
  prices: number;
  lastPrice: number;
  voids: number;
  lastVoid: number;
  /** The root of the day's tree, in hex. */
  root: string;
  /** The SHA-256 over every leaf's deal and fact, in hex. */
  facts: string;
  /** The SHA-256 of the previous checkpoint's text, in hex. */
  previous: string;
  sealedAt: string;
  /** The raw Ed25519 public key, in hex. */
  key: string;
}

/** The value of `previous` in the first checkpoint. */
export const noPrevious = '0'.repeat(64);

/** Returns the text that is hashed and signed. */
export function writeCheckpoint(checkpoint: Checkpoint): string {
  const { day, prices, lastPrice, voids, lastVoid, root, facts, previous, sealedAt, key } =
    checkpoint;
  return [
    'Price log evidence 1',
    `day ${day}`,
    `prices ${prices} through ${lastPrice}`,
    `voids ${voids} through ${lastVoid}`,
    `root ${root}`,
    `facts ${facts}`,
    `previous ${previous}`,
    `sealed ${sealedAt}`,
    `key ${key}`,
    '',
  ].join('\n');
}

const written =
  /^Price log evidence 1\nday (\d{4}-\d\d-\d\d)\nprices (\d+) through (\d+)\nvoids (\d+) through (\d+)\nroot ([0-9a-f]{64})\nfacts ([0-9a-f]{64})\nprevious ([0-9a-f]{64})\nsealed (\S+)\nkey ([0-9a-f]{64})\n$/;

/** Parses a checkpoint's text. Returns `null` if it is not one. */
export function readCheckpoint(text: string): Checkpoint | null {
  const found = written.exec(text);
  if (!found) return null;
  const [, day = '', prices, lastPrice, voids, lastVoid, root = '', facts = '', previous = ''] =
    found;
  return {
    day,
    prices: Number(prices),
    lastPrice: Number(lastPrice),
    voids: Number(voids),
    lastVoid: Number(lastVoid),
    root,
    facts,
    previous,
    sealedAt: found[9] ?? '',
    key: found[10] ?? '',
  };
}
