import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { inBatches } from '#database/in-batches.ts';
import { findCandidates } from './match-candidates.server.ts';
import { codeOfPart, readCodes } from './read-codes.ts';
import { type PairText, suggestPair } from './suggest-pair.ts';

/** deals per batch; a batch takes 0.1 s */
const batchSize = 1_000;
const mostOpen = 10_000;
/** maximum number of suggestions per batch */
const mostAdded = 50 * batchSize;

/** Products are matched first, so that no pair is suggested that would be linked automatically. */
export const areSuggestionsDue = () => sql`(
  select true from suggestion_checks where not exists (select from match_checks) order by id limit 1)`;

/** Compares changed deals with others, and suggests pairs that may be the same product. */
export function suggestMatches(db: Db, signal?: AbortSignal): Promise<void> {
  return inBatches(signal, () => db.transaction().execute(suggestBatch));
}

async function suggestBatch(tx: Tx): Promise<boolean> {
  const taken = await ask(tx).column<number>`
    with taken as (select deal_id from suggestion_checks order by id limit ${batchSize} for update skip locked)
    delete from suggestion_checks where deal_id in (select deal_id from taken) returning deal_id`;
  if (taken.length === 0) return false;
  const ids = await indexCodes(tx, [...new Set(taken)]);
  await writeSuggestions(tx, ids);
  return true;
}

/** Stores the codes of live deals, and returns the ids of the deals that still exist. */
async function indexCodes(tx: Tx, all: number[]): Promise<number[]> {
  const deals = await ask(tx).rows<{
    id: number;
    title: string;
    brand: string | null;
    mpn: string | null;
    isLive: boolean;
  }>`
    select id, title, brand, mpn, is_active and not is_expired as "isLive" from deals where id = any(${all}::bigint[]) order by id for key share`;
  const ids = deals.map(({ id }) => id);
  const codes = deals.flatMap(({ id, title, brand, mpn, isLive }) => {
    if (!isLive) return [];
    const part = codeOfPart(brand, mpn);
    return [...readCodes(title), ...(part === null ? [] : [part])].map((token) => ({ id, token }));
  });
  await sql`delete from deal_codes where deal_id = any(${ids}::bigint[])`.execute(tx);
  await sql`
    insert into deal_codes (token, deal_id)
      select * from unnest(${codes.map(({ token }) => token)}::text[], ${codes.map(({ id }) => id)}::bigint[])`.execute(
    tx,
  );
  return ids;
}

async function writeSuggestions(tx: Tx, ids: number[]): Promise<void> {
  await sql`
    delete from match_suggestions where deal_id = any(${ids}::bigint[]) or other_id = any(${ids}::bigint[])`.execute(
    tx,
  );
  const candidates = await findCandidates(tx, ids);
  const texts = await readTexts(
    tx,
    candidates.flatMap(({ one, other }) => [one, other]),
  );
  const least = await findLeastScore(tx);
  const suggestions = candidates.flatMap(({ one, other, isGroup }) => {
    const [a, b] = [texts.get(one), texts.get(other)];
    const suggestion = a && b && suggestPair(a, b, isGroup);
    return suggestion && suggestion.score > least ? [{ one, other, ...suggestion }] : [];
  });
  if (suggestions.length === 0) return;
  await sql`
    insert into match_suggestions (deal_id, other_id, reason, score)
      select * from unnest(${suggestions.map(({ one }) => one)}::bigint[], ${suggestions.map(({ other }) => other)}::bigint[],
                           ${suggestions.map(({ reason }) => reason)}::text[], ${suggestions.map(({ score }) => score)}::real[])
    on conflict (deal_id, other_id) do update set reason = excluded.reason, score = excluded.score`.execute(
    tx,
  );
  await sql`
    delete from match_suggestions
     where (deal_id, other_id) in (
       select deal_id, other_id from match_suggestions order by score desc, deal_id, other_id
       offset ${mostOpen} limit ${mostAdded})`.execute(tx);
}

/** Returns the score that a suggestion must exceed because the queue is full, or 0 if it is not. */
async function findLeastScore(tx: Tx): Promise<number> {
  return (
    (await ask(tx).value<number>`
      select score from match_suggestions order by score desc, deal_id, other_id offset ${mostOpen - 1} limit 1`) ??
    0
  );
}

async function readTexts(tx: Tx, ids: number[]): Promise<Map<number, PairText>> {
  const rows = await ask(tx).rows<PairText & { id: number }>`
    select id, title, brand, gtin, mpn, sale_price as price, currency from deals where id = any(${[...new Set(ids)]}::bigint[])`;
  return new Map(rows.map((row) => [row.id, row]));
}
