import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { wordRuns } from '#app/platform/fold.ts';
import { containsPattern } from '#app/platform/like-pattern.ts';
import type { Concept } from './read-concepts.ts';
import { plainForm, wordsOf } from './word-forms.ts';

/** Categories, stores and brands that have a word in their name. */
export interface Names {
  categories: number[];
  merchants: number[];
  brands: string[];
}

interface Named {
  kind: 'category' | 'merchant' | 'brand';
  id: number;
  /** Folded. */
  name: string;
}

/**
 * The maximum number of names for a word: a word in more names, such as `store`, identifies none of
 * them.
 */
const mostNames = 100;
const shortestWord = 3;

/**
 * Returns the categories, stores and brands whose names contain a concept's words. Deals with such
 * a name match like deals with the words.
 */
export async function findNames(db: Db, concepts: readonly Concept[]) {
  const words = concepts.flatMap(({ typed }) => typed);
  const long = words.filter((word) => word.length >= shortestWord);
  const found = new Map<Concept, Names>();
  if (long.length === 0) return found;
  const patterns = long.map((word) => containsPattern(plainForm(word)));
  const rows = await ask(db).rows<Named>`
    select 'category' as kind, id, fold(name) as name from categories where fold(name) like any(${patterns}::text[])
    union all
    (select 'merchant', id, fold(name) from merchants where fold(name) like any(${patterns}::text[]) limit 1000)
    union all
    select distinct 'brand', 0, brand
      from unnest(${wordRuns(words.join(' '))}::text[]) run,
           lateral (select brand from deal_texts where brand = run limit 1) named`;
  for (const concept of concepts) {
    const asked = concept.typed.map(plainForm).filter((word) => /[\p{L}\p{N}]/u.test(word));
    const named = rows.filter(({ name, kind }) => {
      const own = new Set(wordsOf(name).map(plainForm));
      return (
        asked.length > 0 &&
        asked.every((word) => own.has(word) && (kind === 'brand' || word.length >= shortestWord))
      );
    });
    if (named.length === 0 || named.length > mostNames) continue;
    const ids = (kind: Named['kind']) =>
      named.filter((one) => one.kind === kind).map(({ id }) => id);
    const brands = named.filter(({ kind }) => kind === 'brand').map(({ name }) => name);
    found.set(concept, { categories: ids('category'), merchants: ids('merchant'), brands });
  }
  return found;
}
