import type { Selectable } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import { Chain } from './checkpoint-chain.server.ts';
import { listCheckpoints, listKeyChanges } from './evidence-queries.server.ts';
import { factBytes } from './gather-leaves.server.ts';
import { buildTree, hashBytes, hashLeaf, hashHex, rootOf } from './merkle-tree.server.ts';
import { type Leaf, type LeafKind, readLog, withBefore } from './read-log.server.ts';
import { readKeyChanges } from './signed-statements.ts';
import { checkCosignatures, isBackdated } from './verify-evidence.ts';

const dayMs = 86_400_000;

interface LogReport {
  days: number;
  leaves: number;
  /** A sentence for each change that bypassed the site. */
  problems: string[];
  /** Observations other than changes, such as prices of deleted deals. */
  notes: string[];
}

/** Recomputes every sealed day, and compares it with the log and the previous day. */
export async function verifyLog(db: Db): Promise<LogReport> {
  const report: LogReport = { days: 0, leaves: 0, problems: [], notes: [] };
  const chain = new Chain(report, await readKeyChanges(await listKeyChanges(db)));
  const witnesses = new Map<string, string>();
  const after = { price: Number.MIN_SAFE_INTEGER, void: Number.MIN_SAFE_INTEGER };
  let from = '0001-01-01';
  let gone = 0;
  for (;;) {
    const checkpoints = await listCheckpoints(db, from, 100);
    for (const signed of checkpoints) {
      const day = await readDay(db, signed.day);
      await chain.add(signed);
      for (const { witness, isValid } of await checkCosignatures(signed)) {
        if (isValid) witnesses.set(witness, signed.day);
        else report.problems.push(`${signed.day}: ${witness} countersigned another version.`);
      }
      gone += await verifyDay(db, day, { after, report });
      Object.assign(after, { price: day.last_price, void: day.last_void });
      report.days++;
      report.leaves += day.prices + day.voids;
    }
    const newest = checkpoints.at(-1);
    if (!newest) break;
    from = new Date(Date.parse(newest.day) + dayMs).toISOString().slice(0, 10);
  }
  for (const [witness, day] of witnesses)
    report.notes.push(`${witness} countersigned through ${day}.`);
  if (gone > 0) report.notes.push(`${gone} sealed prices and voids were deleted with their deals.`);
  return report;
}

type Day = Omit<
  Selectable<Database['evidence_days']>,
  'previous' | 'hash' | 'sealed_at' | 'public_key' | 'signature'
> & {
  /** The hash of the previous day, in hex. */
  previous: string;
};

async function readDay(db: Db, day: string): Promise<Day> {
  // The driver returns arrays of bigint as strings, but inside JSON as numbers.
  const found = await ask(db).row<Day>`
    select day, encode(previous, 'hex') as previous, last_price, last_void, prices, voids, root, nodes, facts, facts_hash,
           to_json(price_starts) as price_starts, to_json(price_places) as price_places,
           to_json(void_starts) as void_starts, to_json(void_places) as void_places
      from evidence_days where day = ${day}::date`;
  if (!found) throw new Error(`The day ${day} has just been removed.`);
  return found;
}

interface Sealed {
  id: number;
  deal: number;
  fact: number;
  hash: Buffer;
}

/**
 * Reports each leaf that differs from the log. Returns how many leaves were deleted with their
 * deals.
 */
async function verifyDay(
  db: Db,
  day: Day,
  { after, report }: { after: Record<LeafKind, number>; report: LogReport },
): Promise<number> {
  const leaves = day.nodes.subarray(0, (day.prices + day.voids) * hashBytes);
  const tree = await buildTree(leaves);
  if (!tree.equals(day.nodes) || !rootOf(tree).equals(day.root)) {
    report.problems.push(`${day.day}: the stored tree was changed.`);
  }
  if (hashHex(day.facts) !== day.facts_hash.toString('hex')) {
    report.problems.push(`${day.day}: the stored facts of its entries were changed.`);
  }
  let gone = 0;
  for (const kind of ['price', 'void'] as const) {
    const through = kind === 'price' ? day.last_price : day.last_void;
    const missing: Sealed[] = [];
    const found = readLog(db, kind, { after: after[kind], through, trashSince: null });
    await compare(found, sealedLeaves(day, kind), {
      missing: (sealed) => missing.push(sealed),
      changed: ({ id, deal }) =>
        report.problems.push(`${day.day}: ${kind} ${id} of deal ${deal} was changed.`),
      found: ({ id, deal, at, text }) => {
        if (kind === 'price' && !/ demo after /.test(text) && isBackdated(at, day))
          report.problems.push(
            `${day.day}: price ${id} of deal ${deal} is dated ${new Date(at).toISOString()}.`,
          );
      },
      inserted: ({ id, deal }) =>
        report.problems.push(`${day.day}: ${kind} ${id} of deal ${deal} was inserted later.`),
    });
    const deals = [...new Set(missing.map(({ deal }) => deal))];
    const living = await ask(db).column<number>`
      select id from deals where id = any(${deals}::bigint[])`;
    const isLiving = new Set(living);
    for (const { id, deal } of missing) {
      if (isLiving.has(deal))
        report.problems.push(`${day.day}: ${kind} ${id} of deal ${deal} was removed.`);
      else gone++;
    }
  }
  return gone;
}

/** Reads the sealed ids with their facts and hashes, in the order of the ids. */
function* sealedLeaves(day: Day, kind: LeafKind): Generator<Sealed> {
  const [starts, places, end] =
    kind === 'price'
      ? [day.price_starts, day.price_places, day.prices]
      : [day.void_starts, day.void_places, day.prices + day.voids];
  for (const [run, start] of starts.entries()) {
    const first = places[run] ?? 0;
    for (let place = first; place < (places[run + 1] ?? end); place++) {
      yield {
        id: start + place - first,
        deal: Number(day.facts.readBigInt64BE(place * factBytes)),
        fact: Number(day.facts.readBigInt64BE(place * factBytes + 8)),
        hash: day.nodes.subarray(place * hashBytes, (place + 1) * hashBytes),
      };
    }
  }
}

async function compare(
  found: AsyncIterable<Leaf>,
  sealed: Generator<Sealed>,
  on: Record<'changed' | 'found' | 'inserted', (leaf: Leaf) => void> & {
    missing: (leaf: Sealed) => void;
  },
): Promise<void> {
  let next = sealed.next();
  for await (const leaf of found) {
    for (; !next.done && next.value.id < leaf.id; next = sealed.next()) on.missing(next.value);
    if (next.done || next.value.id !== leaf.id) {
      on.inserted(leaf);
      continue;
    }
    const { fact, hash } = next.value;
    const text = leaf.text.replace(/ after -?\d+$/, '');
    const sealedText = text === leaf.text ? text : withBefore(text, fact);
    if (hashLeaf(sealedText).equals(hash)) on.found(leaf);
    else on.changed(leaf);
    next = sealed.next();
  }
  for (; !next.done; next = sealed.next()) on.missing(next.value);
}
