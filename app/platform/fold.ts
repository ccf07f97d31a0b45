import { fold } from '#database/fold-text.ts';

export { fold };

/**
 * Scripts without word breaks: Thai and Lao, Burmese, Khmer, Kana, Han, Hangul. Keep this equal to
 * database/functions/run_letters.sql.
 */
const runs =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{3ffff}]+/gu;

/** Returns each sequence of one to four words of a text, folded. These parts may be names. */
export function wordRuns(text: string): string[] {
  const words = fold(text).split(' ');
  const found = [1, 2, 3, 4].flatMap((length) =>
    words.map((_, from) => words.slice(from, from + length).join(' ')),
  );
  return [...new Set(found)];
}

/** Splits a folded text into words and runs of letters without word breaks. */
export function partRuns(folded: string): { words: string; runs: string[] } {
  return { words: folded.replace(runs, ' ').trim(), runs: folded.match(runs) ?? [] };
}
