/** The letters of alphabets that shops use. Every tenth word is not in Latin letters. */
const alphabets = [
  { before: 'b d f g k l m n p r s t v st tr pl'.split(' '), vowels: 'a e i o u ai ou'.split(' ') },
  { before: 'b č d ž f ř ł ñ ß š ç th'.split(' '), vowels: 'é ü ö å ø á ê'.split(' ') },
  { before: 'б в г д ж к л м н п р с т ш'.split(' '), vowels: 'а е и о у ю я'.split(' ') },
  { before: 'β γ δ κ λ μ ν π σ τ φ χ'.split(' '), vowels: 'α ε ι ο ου αι ή'.split(' ') },
  { before: 'ب ت ج د ر س ش ع ق ك ل م'.split(' '), vowels: 'ا و ي ة'.split(' ') },
] as const;

function makeWords(count: number): string[] {
  const words = new Set<string>();
  for (let n = 0; words.size < count; n++) {
    // Seven of ten words are plain Latin, two have accents, and one is in another alphabet.
    const place = n % 10 < 7 ? 0 : n % 10 < 9 ? 1 : 2 + (Math.floor(n / 10) % 3);
    const { before, vowels } = alphabets[place] ?? alphabets[0];
    let rest = n * 2_654_435_761;
    let word = '';
    for (let syllable = 0; syllable < 2 + (n % 3); syllable++) {
      word += before[rest % before.length] ?? '';
      rest = Math.floor(rest / before.length);
      word += vowels[rest % vowels.length] ?? '';
      rest = Math.floor(rest / vowels.length);
    }
    words.add(word);
  }
  return [...words];
}

/**
 * Twenty thousand words, as many as in the texts of a real shop. Earlier words are used more often.
 */
const madeUpWords: readonly string[] = makeWords(20_000);

/**
 * Returns a number from 0 (inclusive) to 1 (exclusive) for each row and use, the same in every run.
 */
export function diceOf(row: number, use: number): number {
  let mixed = Math.imul(row + 1, 0x9e3779b1) ^ Math.imul(use + 1, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

/** Returns a row's words in natural frequency: the n-th word is used 1/n as often as the first. */
export function sentence(row: number, use: number, count: number): string {
  const words = Array.from({ length: count }, (_, place) => {
    const rank =
      Math.floor(Math.exp(diceOf(row, use + place) * Math.log(madeUpWords.length + 1))) - 1;
    return madeUpWords[rank] ?? '';
  });
  return words.join(' ');
}
