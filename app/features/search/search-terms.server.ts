import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/** What a query means to the database. */
export interface SearchTerms {
  text: string;
  /** The words that must all occur somewhere, at most ten, the longest first. */
  words: string[];
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

export async function readSearchTerms(db: Db, text: string): Promise<SearchTerms> {
  const inOrder = text.toLowerCase().split(' ');
  const lastWord = inOrder.at(-1) ?? '';
  const earlier = inOrder.slice(0, -1).join(' ');
  // plainto_tsquery knows no operators, so nothing that is typed can be one.
  const queries = await ask(db).row<{ whole: string; earlier: string }>`
    select plainto_tsquery('english', ${text})::text as whole,
           plainto_tsquery('english', ${earlier})::text as earlier`;
  const whole = queries?.whole || null;
  // The index gathers every word with this beginning before it looks at the other words, and numbers begin
  // so many model names: an unfinished word beside others, or an unfinished number, costs more than it finds.
  const mayBeUnfinished = whole !== null && earlier === '' && /^'[^'\d-]+'$/.test(whole);
  return {
    text,
    words: [...new Set(inOrder)].toSorted((a, b) => b.length - a.length).slice(0, mostWords),
    lastWord,
    wholeQuery: whole,
    titleQuery: inTitle(whole),
    earlierTitleQuery: inTitle(queries?.earlier || null),
    prefixQuery: mayBeUnfinished ? `${whole}:*` : whole,
  };
}

function inTitle(query: string | null): string | null {
  return query && query.replace(/'(?:[^']|'')*'/g, '$&:A');
}
