import { type Checkpoint, noPrevious, readCheckpoint } from './checkpoint.ts';
import {
  type Cosignature,
  fromHex,
  isSigned,
  type KeyChange,
  leadsTo,
  readKeyChanges,
  writeCosigned,
} from './signed-statements.ts';

// Verifies a deal's evidence using only WebCrypto, in browsers and in Node.

export interface SignedCheckpoint {
  day: string;
  text: string;
  /** The Ed25519 signature, in hex. */
  signature: string;
  cosignatures?: readonly Cosignature[];
}

/** A price or void of a deal with its proof. */
export interface EvidenceEntry {
  leaf: string;
  /** The day that the entry is sealed in, or `null` if it is not sealed yet. */
  day: string | null;
  place: number | null;
  /** The inclusion proof (RFC 9162), as hashes in hex. */
  path: readonly string[];
}

export interface DealEvidence {
  deal_id: number;
  /**
   * `not-kept` and `hidden`: the store's affiliate program requires this, so there are no entries.
   */
  state: 'kept' | 'not-kept' | 'hidden';
  /** Whether the entries reach back to the first price. */
  is_complete: boolean;
  /** The time of the deal's newest price, as stored outside the log, in UTC with milliseconds. */
  newest_price_at: string | null;
  entries: readonly EvidenceEntry[];
  /** The newest checkpoint and those of the entries' days. */
  checkpoints: readonly SignedCheckpoint[];
  key_changes: readonly KeyChange[];
}

/** A price as stated by its leaf. */
interface EvidencePrice {
  id: number;
  /** The time in UTC with microseconds. */
  at: string;
  amount: number;
  currency: string;
  isVoided: boolean;
}

export interface EvidenceReport {
  sealed: number;
  /** The number of entries that are newer than the newest checkpoint. */
  waiting: number;
  newest: Checkpoint | null;
  prices: EvidencePrice[];
  /** The newest of these days that each witness countersigned, by the witness's address. */
  witnesses: Record<string, string>;
  /** A sentence for each changed, removed or inserted entry. */
  problems: string[];
}

const priceLeaf =
  /^price (-?\d+) deal (\d+) at (\S+) (\d+) (?:\d+|-) ([A-Z]{3}) [a-z_]+ ([a-z]+) after (-?\d+)$/;
const voidLeaf = /^void (-?\d+) deal (\d+) price (-?\d+) at (\S+) [0-9a-f]{64}$/;

export async function verifyEvidence(evidence: DealEvidence): Promise<EvidenceReport> {
  const { entries, is_complete: isComplete, newest_price_at: newestAt } = evidence;
  const { days, newest, witnesses, problems } = await readDays(evidence);
  const prices = new Map<number, { own: EvidencePrice; after: number; isSealed: boolean }>();
  const voided = new Set<number>();
  let sealed = 0;
  for (const entry of entries) {
    const price = priceLeaf.exec(entry.leaf);
    const found = price ?? voidLeaf.exec(entry.leaf);
    const id = Number(found?.[1]);
    const name = `${price ? 'Price' : 'Void'} ${id}`;
    if (!found || Number(found[2]) !== evidence.deal_id) {
      problems.push(`“${entry.leaf}” is not an entry of this deal.`);
      continue;
    }
    const last = price ? newest?.lastPrice : newest?.lastVoid;
    const isSealed = entry.day !== null || id <= (last ?? 0);
    if (isSealed) sealed++;
    if (price) {
      const [, , , at = '', amount, currency = '', source, after] = price;
      const own = { id, at, amount: Number(amount), currency, isVoided: false };
      const day = days.get(entry.day ?? '');
      if (source !== 'demo' && day && isBackdated(Date.parse(at), day))
        problems.push(`Price ${id} is dated ${at}, but first appeared on ${day.day}.`);
      prices.set(id, { own, after: Number(after), isSealed });
    } else voided.add(Number(found[3]));
    if (isSealed && !(await isProved(entry, days)))
      problems.push(`${name} was changed or inserted after its day was sealed.`);
  }
  for (const line of voided) {
    const price = prices.get(line);
    if (price) price.own.isVoided = true;
  }
  const listed = [...prices.values()].map(({ own }) => own);
  const oldest = listed.toSorted((a, b) => (a.at < b.at ? -1 : 1))[0];
  for (const [id, { after, isSealed }] of prices) {
    const mayLack = !isComplete && id === oldest?.id;
    if (isSealed && after !== 0 && !prices.has(after) && !mayLack)
      problems.push(`Price ${after} was removed: price ${id} came after it.`);
  }
  if (newestAt !== null && !listed.some(({ at }) => `${at.slice(0, 23)}Z` === newestAt))
    problems.push(`The newest price, of ${newestAt}, was removed.`);
  const waiting = entries.length - sealed;
  return { sealed, waiting, newest, prices: listed, witnesses, problems };
}

/** days between a price and its sealed day; lines beyond a day's limit wait for the next day */
const mostDaysLate = 3;

/**
 * Returns whether a price is dated long before its sealed day. The first day contains all prices
 * logged by then, so it is exempt.
 */
export function isBackdated(
  at: number,
  { day, previous }: Pick<Checkpoint, 'day' | 'previous'>,
): boolean {
  return previous !== noPrevious && at < Date.parse(day) - mostDaysLate * 86_400_000;
}

async function readDays({
  checkpoints,
  key_changes: changes,
}: Pick<DealEvidence, 'checkpoints' | 'key_changes'>) {
  const days = new Map<string, Checkpoint>();
  const witnesses: Record<string, string> = {};
  const problems: string[] = [];
  const nextKeys = await readKeyChanges(changes);
  let key: string | null = null;
  for (const signed of checkpoints.toSorted((a, b) => (a.day < b.day ? -1 : 1))) {
    const { day, text, signature } = signed;
    const checkpoint = readCheckpoint(text);
    if (checkpoint?.day !== day || !(await isSigned(text, signature, checkpoint.key))) {
      problems.push(`The checkpoint of ${day} has no valid signature.`);
      continue;
    }
    days.set(day, checkpoint);
    if (key !== null && !leadsTo(key, checkpoint.key, nextKeys))
      problems.push(`The key changed by ${day}, and the old key did not sign the change.`);
    key = checkpoint.key;
    for (const { witness, isValid } of await checkCosignatures(signed)) {
      if (isValid) witnesses[witness] = day;
      else problems.push(`${witness} did not countersign ${day} as it is now.`);
    }
  }
  const newest = days.get([...days.keys()].at(-1) ?? '') ?? null;
  return { days, newest, witnesses, problems };
}

/** Verifies the countersignatures of a checkpoint. */
export function checkCosignatures({ text, cosignatures = [] }: SignedCheckpoint) {
  return Promise.all(
    cosignatures.map(async ({ witness, time, key, signature }) => ({
      witness,
      isValid: await isSigned(writeCosigned(text, time), signature, key),
    })),
  );
}

async function isProved(entry: EvidenceEntry, days: Map<string, Checkpoint>): Promise<boolean> {
  const checkpoint = days.get(entry.day ?? '');
  if (!checkpoint || entry.place === null) return false;
  const size = checkpoint.prices + checkpoint.voids;
  const root = await rootFromProof(entry.leaf, entry.place, size, entry.path);
  return root === checkpoint.root;
}

/** Returns the root that this proof yields (RFC 9162, section 2.1.3.2), or `null`. */
export async function rootFromProof(
  leaf: string,
  place: number,
  size: number,
  path: readonly string[],
): Promise<string | null> {
  if (place >= size) return null;
  let node = await sha256([0], new TextEncoder().encode(leaf));
  let [at, last] = [place, size - 1];
  for (const hex of path) {
    if (last === 0) return null;
    const other = fromHex(hex);
    if (at % 2 === 1 || at === last) {
      node = await sha256([1], other, node);
      while (at % 2 === 0 && at > 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else node = await sha256([1], node, other);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? toHex(node) : null;
}

async function sha256(...parts: (Uint8Array | number[])[]): Promise<Uint8Array> {
  const bytes = new Uint8Array(parts.flatMap((part) => [...part]));
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
