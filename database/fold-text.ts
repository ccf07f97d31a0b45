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
 * ß as ss, and so on. Must equal `fold` in the database.
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

function letters(from: string, to: string): [string, string][] {
  return Array.from(from, (letter, index) => [letter, to.charAt(index)]);
}
