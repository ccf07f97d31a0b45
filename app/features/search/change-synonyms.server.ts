import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { keepDeleted } from '#app/platform/trash/keep-deleted.server.ts';

/** A line of the owner's synonyms, in the format of `indexSynonyms`. */
export interface SynonymLine {
  id: number;
  words: string;
  created_at: Date;
}

export const mostSynonyms = 1_000;
const longestLine = 300;

type Added = { ok: true; words: string } | { ok: false; message: string };

export async function listSynonyms(db: Db): Promise<SynonymLine[]> {
  return ask(db).rows<SynonymLine>`
    select id, words, created_at from search_synonyms order by id desc limit ${mostSynonyms}`;
}

/** Stores a line such as `couch, sofa` or `sofa > sofa bed`. */
export async function addSynonyms(db: Db, actor: string, typed: string): Promise<Added> {
  const sides = typed.split('>').map((side) =>
    side
      .split(',')
      .map((word) => word.replace(/\s+/g, ' ').trim().toLowerCase())
      .filter(Boolean),
  );
  const words = sides.map((side) => side.join(', ')).join(' > ');
  const isLine = sides.length === 1 ? (sides[0]?.length ?? 0) > 1 : sides.every((side) => side[0]);
  if (!isLine || sides.length > 2)
    return { ok: false, message: 'Enter at least two words, separated by a comma.' };
  if (words.length > longestLine)
    return { ok: false, message: `Use at most ${longestLine} characters.` };
  return db.transaction().execute(async (tx) => {
    const count = await ask(tx).value<number>`select count(*) from search_synonyms`;
    if ((count ?? 0) >= mostSynonyms)
      return {
        ok: false,
        message: `Delete a line first: there are already ${mostSynonyms}.`,
      } as const;
    const id = await ask(tx).value<number>`
      insert into search_synonyms (words) values (${words}) on conflict (words) do nothing returning id`;
    if (id === null) return { ok: false, message: 'You already have these synonyms.' } as const;
    await writeAudit(tx, {
      actor,
      action: 'synonym.create',
      entity: 'synonym',
      entityId: id,
      after: { words },
    });
    return { ok: true, words } as const;
  });
}

/** Returns the deleted line, or `null` if it was already gone. */
export async function deleteSynonyms(db: Db, actor: string, id: number): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    const words = await ask(tx).value<string>`
      select words from search_synonyms where id = ${id} for update`;
    if (words === null) return null;
    await keepDeleted(tx, { table: 'search_synonyms', entity: 'synonym', id, name: words, actor });
    await ask(tx).rows`delete from search_synonyms where id = ${id}`;
    await writeAudit(tx, {
      actor,
      action: 'synonym.delete',
      entity: 'synonym',
      entityId: id,
      before: { words },
    });
    return words;
  });
}
