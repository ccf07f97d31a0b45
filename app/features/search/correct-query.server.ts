import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import { fold, partRuns } from '#app/platform/fold.ts';
import type { Db } from '#database/connect.ts';

interface KnownWord {
  /** Folded. */
  word: string;
  spelling: string;
  uses: number;
}

/** The minimum length: shorter words are one typing error away from nearly any other word. */
const shortestCorrected = 4;

/**
 * Returns the query with each unknown word replaced by the nearest known one, or `null` if there is
 * nothing to correct. The correction reads only the vocabulary, which takes a few milliseconds for
 * any number of deals.
 */
export async function correctQuery(db: Db, text: string): Promise<string | null> {
  const words = text.toLowerCase().split(' ');
  const corrected: string[] = [];
  for (const [index, word] of words.entries()) {
    // The last word may be unfinished, so the beginning of a known word is not an error.
    corrected.push((await correctWord(db, word, index === words.length - 1)) ?? word);
  }
  return words.some((word, index) => word !== corrected[index]) ? corrected.join(' ') : null;
}

async function correctWord(
  db: Db,
  typed: string,
  mayBeUnfinished: boolean,
): Promise<string | null> {
  const word = fold(typed);
  const isOfLetters = /^[\p{L}\p{M}]+$/u.test(word) && partRuns(word).runs.length === 0;
  if (word.length < shortestCorrected || !isOfLetters) return null;
  const known = await ask(db).rows`
    select from search_words where ${mayBeUnfinished ? sql`word ^@ ${word}` : sql`word = ${word}`} limit 1`;
  if (known.length > 0) return null;
  const tolerance = word.length < 6 ? 1 : 2;
  const rows = await ask(db).rows<KnownWord>`
    (select word, uses, coalesce(spelling, word) as spelling from search_words
      where word % ${word} order by similarity(word, ${word}) desc, word limit 50)
    union
    (select word, uses, coalesce(spelling, word) from search_words
      where word ^@ ${word.slice(0, 1)} and length(word) between ${word.length - tolerance}::int and ${word.length + tolerance}::int
      order by uses desc, word limit 1000)`;
  return nearest(word, rows, tolerance);
}

function nearest(word: string, candidates: KnownWord[], tolerance: number): string | null {
  const near = candidates
    .map((candidate) => ({ ...candidate, distance: editDistance(word, candidate.word) }))
    .filter((candidate) => candidate.distance <= tolerance)
    .toSorted((a, b) => a.distance - b.distance || b.uses - a.uses || (a.word < b.word ? -1 : 1));
  return near[0]?.spelling ?? null;
}

/**
 * Counts the letters to insert, remove, replace or swap with a neighbor (optimal string alignment).
 */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let best = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
