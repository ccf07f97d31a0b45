/**
 * Scripts without word breaks: Thai and Lao, Burmese, Khmer, Kana, Han, Hangul. Keep this equal to
 * database/functions/run_letters.sql.
 */
const runs =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{3ffff}]+/gu;

const marks =
  /[\u0300-\u0305\u0307-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u00ad\u200b-\u200f\u2060\ufeff]|(?<!и)\u0306/gu;

const others = new Map([
  ...letters('’‘ʼ′׳“”„«»״–—־‐×•·★☆・', `'''''""""""----x     `),
  ...letters('ςøłđðħı', 'σolddhi'),
  ...letters('ىةکی٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'يهكي01234567890123456789'),
  ...([
    ['ß', 'ss'],
    ['æ', 'ae'],
    ['œ', 'oe'],
    ['þ', 'th'],
  ] as const),
]);
const otherLetters = new RegExp(`[${[...others.keys()].join('')}]`, 'gu');

/**
 * Returns the form in which texts are compared: lower case, without accents, of normal width, with
 * ß as ss and the like. Must equal `fold` in the database.
 */
export function fold(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  return text
    .replace(/[™℠]/g, ' ')
    .normalize('NFKD')
    .toLowerCase()
    .replace(marks, '')
    .normalize('NFC')
    .replace(otherLetters, (letter) => others.get(letter) ?? letter);
}

/** Returns each run of one to four words of a text, folded: the parts that may be a name. */
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

function letters(from: string, to: string): [string, string][] {
  return Array.from(from, (letter, index) => [letter, to.charAt(index)]);
}
