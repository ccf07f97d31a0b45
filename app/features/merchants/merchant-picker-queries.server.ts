import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { containsIn } from '#app/platform/contains-in.server.ts';
import { fold } from '#app/platform/fold.ts';
import { startsWithPattern } from '#app/platform/like-pattern.ts';

const mostSuggested = 20;

/**
 * A merchant's name in suggestions. If two merchants share a name, the slug is appended: `Acme
 * [acme-2]`.
 */
const pickName = sql<string>`
  case when exists (select from merchants o where lower(o.name) = lower(m.name) and o.id <> m.id)
    then m.name || ' [' || m.slug || ']' else m.name end`;

/** Suggests names that begin with the text, then others that contain it, both by most deals. */
export async function suggestMerchants(db: Db, text: string): Promise<string[]> {
  const typed = text.replace(/\[[^[\]]*\]?$/, '').trim();
  return ask(db).column<string>`
    select ${pickName} as name from merchants m where ${containsIn(typed, 'm.name')}
     order by fold(m.name) like ${startsWithPattern(fold(typed))} desc, m.deal_count desc, lower(m.name), m.id
     limit ${mostSuggested}`;
}

export async function nameMerchant(db: Db, id: number): Promise<string | null> {
  return ask(db).value<string>`
    select ${pickName} as name from merchants m where m.id = ${id}`;
}

export type PickedMerchant = { ok: true; id: number } | { ok: false; suggestions: string[] };

/** Returns the merchant with this name if there is only one, or else suggestions. */
export async function pickMerchant(db: Db, text: string): Promise<PickedMerchant> {
  const typed = text.trim();
  const rows = await ask(db).rows<{ id: number; name: string }>`
    select m.id, ${pickName} as name from merchants m
     where lower(m.name) = lower(${typed}) or m.name || ' [' || m.slug || ']' = ${typed}
     order by m.id limit ${mostSuggested}`;
  const [first, ...others] = rows;
  if (first && others.length === 0) return { ok: true, id: first.id };
  return {
    ok: false,
    suggestions: first ? rows.map((row) => row.name) : await suggestMerchants(db, typed),
  };
}
