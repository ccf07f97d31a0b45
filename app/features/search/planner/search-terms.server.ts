import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { fold, partRuns } from '#app/platform/fold.ts';
import { hasTrigram } from '#app/platform/like-pattern.ts';

/** What a query means to the database; all of it folded. */
export interface SearchTerms {
  text: string;
  /** The words that must all occur somewhere, at most ten, the longest first. */
  words: string[];
  /** The same as they were typed, in small letters. */
  typedWords: string[];
  /** Those that an index finds as parts of words. */
  indexedParts: string[];
  lastWord: string;
  /** All words as whole words, as a tsquery; null when only stop words were typed. */
  wholeQuery: string | null;
  /** All words as whole words of the title. */
  titleQuery: string | null;
  /** All but the last, which may be unfinished, as whole words of the title. */
  earlierTitleQuery: string | null;
  /** A single word, perhaps unfinished; else the same as `wholeQuery`. */
  prefixQuery: string | null;
}

const mostWords = 10;

export async function readSearchTerms(db: Db, typed: string): Promise<SearchTerms> {
  const typedByWord = new Map(
    typed
      .toLowerCase()
      .split(' ')
      .flatMap((word) =>
        foldedWords(word).map((folded, _, all) => [folded, all[1] ? folded : word]),
      ),
  );
  const inOrder = foldedWords(typed);
  const text = inOrder.join(' ');
  const earlier = inOrder.slice(0, -1).join(' ');
  const words = [...new Set(inOrder)].toSorted((a, b) => b.length - a.length).slice(0, mostWords);
  const queries = await ask(db).row<{ whole: string; earlier: string; indexed: boolean[] }>`
    select ${queryOf(text)} as whole, ${queryOf(earlier)} as earlier,
           array(select show_trgm(word) <> '{}' from unnest(${words}::text[]) word) as indexed`;
  const whole = queries?.whole || null;
  // The index gathers every word with this beginning before it looks at the other words, and numbers begin
  // so many model names: an unfinished word beside others, or an unfinished number, costs more than it finds.
  const mayBeUnfinished = whole !== null && earlier === '' && /^'[^'\d-]+'$/.test(whole);
  return {
    text,
    words,
    typedWords: words.map((word) => typedByWord.get(word) ?? word),
    indexedParts: words.filter(
      (word, index) =>
        hasTrigram(word) && partRuns(word).runs.length === 0 && queries?.indexed[index],
    ),
    lastWord: inOrder.at(-1) ?? '',
    wholeQuery: whole,
    titleQuery: inTitle(whole),
    earlierTitleQuery: inTitle(queries?.earlier || null),
    prefixQuery: mayBeUnfinished ? `${whole}:*` : whole,
  };
}

/** Some signs are folded into spaces. Of nothing but such signs the text is the one word, which nothing has. */
function foldedWords(text: string): string[] {
  return (fold(text).trim() || text.trim()).split(/\s+/);
}

/**
 * Words cut to their stems; runs of letters that part no words as phrases of pairs (database/functions/part_runs.sql).
 * The functions know no operators, so nothing that is typed can be one.
 */
export function queryOf(folded: string): RawBuilder<string> {
  const { words, runs } = partRuns(folded);
  const parts = [sql`nullif(plainto_tsquery('russian', ${words})::text, '')`];
  for (const run of runs) {
    const letters = Array.from(run);
    const pairs = letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
    parts.push(
      pairs.length === 0
        ? sql`${`'${run}':*`}::text`
        : sql`nullif(phraseto_tsquery('russian', ${pairs.join(' ')})::text, '')`,
    );
  }
  return sql`concat_ws(' & ', ${sql.join(parts)})`;
}

function inTitle(query: string | null): string | null {
  return query && query.replace(/('(?:[^']|'')*')(?::(\*))?/g, '$1:$2A');
}
