import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { fold, partRuns } from '#app/platform/fold.ts';
import { hasTrigram } from '#app/platform/like-pattern.ts';

/** A query in the database's terms, all folded. */
export interface SearchTerms {
  text: string;
  /** The required words, at most ten, the longest first. */
  words: string[];
  /** The same as typed, in lower case. */
  typedWords: string[];
  /** Words that an index finds as parts of words. */
  indexedParts: string[];
  lastWord: string;
  /** All words as whole words, as a tsquery; `null` for stop words only. */
  wholeQuery: string | null;
  /** All words as whole words of the title. */
  titleQuery: string | null;
  /** All but the last word, which may be unfinished, as whole words of the title. */
  earlierTitleQuery: string | null;
  /** A single word, possibly unfinished; else the same as `wholeQuery`. */
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
  // The index collects every word with this beginning before it checks the other words, and many
  // model names begin with numbers. An unfinished word beside others, or an unfinished number,
  // costs more than it finds.
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

/**
 * Some characters are folded to spaces. A text of only such characters is one word, which matches
 * nothing.
 */
function foldedWords(text: string): string[] {
  return (fold(text).trim() || text.trim()).split(/\s+/);
}

/**
 * Converts words to stems, and letters without word breaks to phrases of pairs
 * (database/functions/part_runs.sql). The functions parse no operators, so typed text cannot
 * contain any.
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
