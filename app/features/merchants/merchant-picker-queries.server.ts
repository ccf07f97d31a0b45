import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import { containsPattern, startsWithPattern } from '#app/platform/like-pattern.ts';

const mostSuggested = 20;

/**
 * What a merchant is called where one is picked by typing: its name, and where two bear the same name, its slug behind
 * it: `Acme [acme-2]`.
 */
const pickName = sql<string>`
  case when exists (select from merchants o where lower(o.name) = lower(m.name) and o.id <> m.id)
    then m.name || ' [' || m.slug || ']' else m.name end`;

/** Names to pick from: those that begin with the text, then those that contain it; those with most deals first. */
export async function suggestMerchants(db: Db, text: string): Promise<string[]> {
  const typed = text.replace(/\s*\[[^\]]*\]?$/, '').trim();
  const { rows } = await sql<{ name: string }>`
    select ${pickName} as name from merchants m where m.name ilike ${containsPattern(typed)}
     order by m.name ilike ${startsWithPattern(typed)} desc, m.deal_count desc, lower(m.name), m.id
     limit ${mostSuggested}`.execute(db);
  return rows.map((row) => row.name);
}

export async function nameMerchant(db: Db, id: number): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select ${pickName} as name from merchants m where m.id = ${id}`.execute(db);
  return rows[0]?.name ?? null;
}

export type PickedMerchant = { ok: true; id: number } | { ok: false; suggestions: string[] };

/** The one merchant that is called so. */
export async function pickMerchant(db: Db, text: string): Promise<PickedMerchant> {
  const typed = text.trim();
  const { rows } = await sql<{ id: number; name: string }>`
    select m.id, ${pickName} as name from merchants m
     where lower(m.name) = lower(${typed}) or m.name || ' [' || m.slug || ']' = ${typed}
     order by m.id limit ${mostSuggested}`.execute(db);
  const [first, ...others] = rows;
  if (first && others.length === 0) return { ok: true, id: first.id };
  return {
    ok: false,
    suggestions: first ? rows.map((row) => row.name) : await suggestMerchants(db, typed),
  };
}
