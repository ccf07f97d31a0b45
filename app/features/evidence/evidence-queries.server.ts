import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { type Checkpoint, writeCheckpoint } from './checkpoint.ts';
import { priceBefore, priceText, voidText } from './read-log.server.ts';
import type { Cosignature, KeyChange } from './signed-statements.ts';
import type { DealEvidence, EvidenceEntry, SignedCheckpoint } from './verify-evidence.ts';

interface StoredDay extends Omit<Checkpoint, 'sealedAt'> {
  sealedAt: Date;
  signature: string;
  cosignatures: Cosignature[];
}

const dayColumns = sql`day, prices, last_price as "lastPrice", voids, last_void as "lastVoid", encode(root, 'hex') as root, encode(facts_hash, 'hex') as facts,
  encode(previous, 'hex') as previous, sealed_at as "sealedAt", encode(public_key, 'hex') as key, encode(signature, 'hex') as signature,
  coalesce((select json_agg(json_build_object('witness', s.address, 'time', extract(epoch from c.cosigned_at)::bigint,
                                              'key', encode(c.public_key, 'hex'), 'signature', encode(c.signature, 'hex')) order by s.address)
              from cosignatures c join evidence_sites s on s.id = c.site_id where c.day = evidence_days.day), '[]') as cosignatures`;

function asSigned({ signature, cosignatures, sealedAt, ...day }: StoredDay) {
  const text = writeCheckpoint({ ...day, sealedAt: sealedAt.toISOString() });
  return { day: day.day, text, signature, cosignatures } satisfies SignedCheckpoint;
}

/** Returns all changes of the signing key, of which there are few. */
export function listKeyChanges(db: Db): Promise<KeyChange[]> {
  return ask(db).rows<KeyChange>`
    select text, encode(old_signature, 'hex') as old_signature, encode(new_signature, 'hex') as new_signature
      from evidence_key_changes order by text`;
}

/** Returns the checkpoints from this day onward, oldest first. */
export async function listCheckpoints(db: Db, from: string, most: number) {
  const days = await ask(db).rows<StoredDay>`
    select ${dayColumns} from evidence_days where day >= ${from}::date order by day limit ${most}`;
  return days.map(asSigned);
}

/** Returns the newest days with the texts of their checkpoints, newest first. */
export async function listNewestDays(db: Db, most: number) {
  const days = await ask(db).rows<StoredDay>`
    select ${dayColumns} from evidence_days order by day desc limit ${most}`;
  return days.map((day) => ({ ...day, text: asSigned(day).text }));
}

const mostEntries = 1_000;

/** Returns the proofs of a deal's newest prices and voids, newest first. */
export async function readDealEvidence(db: Db, dealId: number): Promise<DealEvidence> {
  const rows = await ask(db).rows<
    Omit<EvidenceEntry, 'path'> & { path: string; is_price: boolean }
  >`/* often */
    with sealed as (
      select true as is_price, l.id, l.at, ${priceText} as text, (${priceBefore}) as before, e.day, e.prices + e.voids as size, e.nodes, e.facts,
             e.price_places[width_bucket(l.id, e.price_starts)] + l.id - e.price_starts[width_bucket(l.id, e.price_starts)] as place
        from (select * from price_log where deal_id = ${dealId} order by at desc, id desc limit ${mostEntries + 1}) l
        left join lateral (select * from evidence_days where last_price >= l.id order by last_price, day limit 1) e on true
      union all
      select false, l.id, l.voided_at, ${voidText}, null, e.day, e.prices + e.voids, e.nodes, e.facts,
             e.void_places[width_bucket(l.id, e.void_starts)] + l.id - e.void_starts[width_bucket(l.id, e.void_starts)]
        from price_voids l
        left join lateral (select * from evidence_days where last_void >= l.id order by last_void, day limit 1) e on true
       where l.deal_id = ${dealId}
    )
    select is_price, day, place,
           text || case when is_price then ' after ' || coalesce(
             ('x' || encode(substring(facts from (place * 16 + 9)::int for 8), 'hex'))::bit(64)::bigint, before, 0) else '' end as leaf,
           coalesce((
             select string_agg(encode(substring(nodes from (32 * (below + (place >> level # 1)) + 1)::int for 32), 'hex'), ',' order by level)
               from (select level, width, sum(width) over (order by level) - width as below
                       from (select level, (size + (1::bigint << level) - 1) >> level as width from generate_series(0, 30) level) widths
                      where width > 1) levels
              where (place >> level # 1) < width), '') as path
      from sealed order by is_price desc, at desc, id desc`;
  const isComplete = rows.filter((row) => row.is_price).length <= mostEntries;
  const entries = rows
    .filter((_, index) => isComplete || index !== mostEntries)
    .map(({ leaf, day, place, path }) => ({
      leaf,
      day,
      place,
      path: path.split(',').filter(Boolean),
    }));
  const days = [...new Set(entries.flatMap(({ day }) => day ?? []))];
  const checkpoints = await ask(db).rows<StoredDay>`/* often */
    select ${dayColumns} from evidence_days
     where day = any(${days}::date[]) or day = (select max(day) from evidence_days) order by day`;
  const newestMs = await ask(db).value<number>`/* often */
    select at[cardinality(at)] from price_proofs where deal_id = ${dealId}`;
  return {
    deal_id: dealId,
    state: 'kept',
    is_complete: isComplete,
    newest_price_at: newestMs === null ? null : new Date(newestMs).toISOString(),
    entries,
    checkpoints: checkpoints.map(asSigned),
    key_changes: await listKeyChanges(db),
  };
}
