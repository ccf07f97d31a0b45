import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { type Checkpoint, noPrevious, writeCheckpoint } from './checkpoint.ts';
import { openEvidenceKey } from './evidence-key.server.ts';
import { type Gathered, openLog } from './gather-leaves.server.ts';
import { buildTree, hashHex, rootOf } from './merkle-tree.server.ts';

const dayMs = 86_400_000;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

interface Sealed {
  day: string;
  hash: string;
  lastPrice: number;
  lastVoid: number;
}

/**
 * Seals the price log for each day up to yesterday that has no checkpoint yet. Days are in UTC.
 * Each day contains the lines committed by then, ordered by id.
 */
export async function sealDays({ db, now, log }: AppServices, signal?: AbortSignal): Promise<void> {
  const time = now().getTime();
  const through = await readSettledIds(db, signal);
  if (!through) {
    if (!signal?.aborted) log.warn({}, 'a long transaction writes prices; its day is sealed later');
    return;
  }
  const before = await readNewest(db);
  const begins = before ? Date.parse(before.day) + dayMs : await readFirstDay(db);
  if (begins === null) return;
  const key = await openEvidenceKey(db);
  const trashSince = dayOf(begins - dayMs);
  const read = (kind: 'price' | 'void', after: number, last: number) =>
    openLog(db, kind, { after, through: last, trashSince, now: time });
  const prices = read('price', before?.lastPrice ?? 0, through.price);
  const voids = read('void', before?.lastVoid ?? 0, through.void);

  let previous = before?.hash ?? noPrevious;
  for (let start = begins; start + dayMs <= time; start += dayMs) {
    if (signal?.aborted) return;
    const priced = await prices(start + dayMs, 0);
    const voided = await voids(start + dayMs, priced.count);
    const nodes = await buildTree(Buffer.concat([priced.hashes, voided.hashes]));
    const facts = Buffer.concat([priced.facts, voided.facts]);
    const checkpoint: Checkpoint = {
      day: dayOf(start),
      prices: priced.count,
      lastPrice: priced.last,
      voids: voided.count,
      lastVoid: voided.last,
      root: rootOf(nodes).toString('hex'),
      facts: hashHex(facts),
      previous,
      sealedAt: now().toISOString(),
      key: key.publicKey,
    };
    const text = writeCheckpoint(checkpoint);
    const hash = hashHex(text);
    const sealed = { hash, signature: key.sign(text), nodes, facts, priced, voided };
    // Another process has sealed this day and will seal the following ones.
    if (!(await insertDay(db, checkpoint, sealed))) return;
    previous = hash;
  }
}

/**
 * True if the log began before today but nothing is sealed, as after an update or in a new demo
 * shop.
 */
export const isFirstSealDue = () => sql`not exists (select from evidence_days) and
  (select at from price_log order by id limit 1) < date_trunc('day', now(), 'UTC')`;

async function insertDay(
  db: Db,
  checkpoint: Checkpoint,
  {
    hash,
    signature,
    nodes,
    facts,
    priced,
    voided,
  }: {
    hash: string;
    signature: Buffer;
    nodes: Buffer;
    facts: Buffer;
    priced: Gathered;
    voided: Gathered;
  },
): Promise<boolean> {
  const bytes = (hex: string) => Buffer.from(hex, 'hex');
  const inserted = await db
    .insertInto('evidence_days')
    .values({
      day: checkpoint.day,
      last_price: priced.last,
      last_void: voided.last,
      prices: priced.count,
      voids: voided.count,
      root: bytes(checkpoint.root),
      previous: bytes(checkpoint.previous),
      hash: bytes(hash),
      sealed_at: checkpoint.sealedAt,
      public_key: bytes(checkpoint.key),
      signature,
      nodes,
      facts,
      facts_hash: bytes(checkpoint.facts),
      price_starts: priced.runs.starts,
      price_places: priced.runs.places,
      void_starts: voided.runs.starts,
      void_places: voided.runs.places,
    })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

function readNewest(db: Db): Promise<Sealed | null> {
  return ask(db).row<Sealed>`
    select day, encode(hash, 'hex') as hash, last_price as "lastPrice", last_void as "lastVoid"
      from evidence_days order by day desc limit 1`;
}

/** Returns the day of the first line, or `null` if the log is empty. */
async function readFirstDay(db: Db): Promise<number | null> {
  const day = await ask(db).value<string>`
    select (at at time zone 'utc')::date from price_log order by id limit 1`;
  return day === null ? null : Date.parse(day);
}

const settlingTries = 120;

/**
 * Returns the ids up to which no running transaction can add a line, or `null` if such a
 * transaction does not end within a minute. Writers lock the table before they take an id.
 */
async function readSettledIds(db: Db, signal?: AbortSignal) {
  // A restarted sequence has no last value.
  const newest = await ask(db).row<{ price: number; void: number }>`
    select greatest(pg_sequence_last_value(pg_get_serial_sequence('price_log', 'id')), (select max(id) from price_log), 0) as price,
           greatest(pg_sequence_last_value(pg_get_serial_sequence('price_voids', 'id')), (select max(id) from price_voids), 0) as void`;
  let writers = await ask(db).column<string>`
    select distinct virtualtransaction from pg_locks
     where relation in ('price_log'::regclass, 'price_voids'::regclass) and mode = 'RowExclusiveLock'
       and database = (select oid from pg_database where datname = current_database())`;
  for (let tries = 0; writers.length > 0; tries++) {
    if (tries === settlingTries || signal?.aborted) return null;
    await sleep(500, undefined, signal && { signal }).catch(() => {});
    writers = await ask(db).column<string>`
      select distinct virtualtransaction from pg_locks
       where relation in ('price_log'::regclass, 'price_voids'::regclass) and mode = 'RowExclusiveLock'
         and virtualtransaction = any(${writers}::text[])`;
  }
  return newest;
}
