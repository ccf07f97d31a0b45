import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { SignedCheckpoint } from './verify-evidence.ts';

export interface EvidenceSite {
  id: number;
  role: 'witness' | 'witnessed';
  address: string;
  /** A witness's key, which is pinned at the first fetch. */
  key: string | null;
  fetchedAt: Date | null;
  problem: string | null;
  /** The newest countersigned day. */
  through: string | null;
  /** The day that the site rewrote, until staff accept the new days. */
  conflictDay: string | null;
}

/** Returns the witnesses of this site and the sites that it witnesses. */
export function listEvidenceSites(db: Db): Promise<EvidenceSite[]> {
  return ask(db).rows<EvidenceSite>`
    select id, role, address, encode(public_key, 'hex') as key, fetched_at as "fetchedAt", problem,
           case role when 'witness' then (select max(day) from cosignatures where site_id = s.id)
                     else (select max(day) from witnessed_days where site_id = s.id) end as through,
           (select day from witness_conflicts where site_id = s.id and settled_at is null) as "conflictDay"
      from evidence_sites s where is_active order by role, address`;
}

/** Returns the day of the newest checkpoint of our own log. */
export function readNewestDay(db: Db): Promise<string | null> {
  return ask(db).value<string>`select max(day) from evidence_days`;
}

/** Returns the id of a site whose days we store, even if we no longer fetch new ones. */
export async function findWitnessedSite(db: Db, address: string): Promise<number | null> {
  if (!URL.canParse(address)) return null;
  return await ask(db).value<number>`
    select id from evidence_sites where role = 'witnessed' and address = ${address}`;
}

export interface WitnessedDay extends SignedCheckpoint {
  /** The time of the countersignature in seconds since 1970. */
  time: number;
  key: string;
  cosignature: string;
}

/** Returns the countersigned days of a site from a day onward, oldest first. */
export function listWitnessedDays(
  db: Db,
  { siteId, from, most }: { siteId: number; from: string; most: number },
): Promise<WitnessedDay[]> {
  return ask(db).rows<WitnessedDay>`
    select day, text, encode(signature, 'hex') as signature, extract(epoch from cosigned_at)::bigint as time,
           encode(public_key, 'hex') as key, encode(cosignature, 'hex') as cosignature
      from witnessed_days where site_id = ${siteId} and day >= ${from}::date order by day limit ${most}`;
}

interface StoredConflict {
  day: string;
  keptText: string | null;
  keptSignature: string | null;
  foundText: string | null;
  foundSignature: string | null;
  foundAt: Date;
  settledAt: Date | null;
}

/** Returns the days that a site rewrote, newest first. */
export async function listConflicts(db: Db, siteId: number, most: number) {
  const rows = await ask(db).rows<StoredConflict>`
    select day, kept_text as "keptText", encode(kept_signature, 'hex') as "keptSignature", found_text as "foundText",
           encode(found_signature, 'hex') as "foundSignature", found_at as "foundAt", settled_at as "settledAt"
      from witness_conflicts where site_id = ${siteId} order by id desc limit ${most}`;
  return rows.map(({ day, foundAt, settledAt, ...texts }) => ({
    day,
    kept: asSide(day, texts.keptText, texts.keptSignature),
    found: asSide(day, texts.foundText, texts.foundSignature),
    foundAt,
    settledAt,
  }));
}

function asSide(
  day: string,
  text: string | null,
  signature: string | null,
): SignedCheckpoint | null {
  return text === null || signature === null ? null : { day, text, signature };
}
