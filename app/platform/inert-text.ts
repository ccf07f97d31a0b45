import { cutText } from './cut-text.ts';

/** Those that turn the direction of reading, and those that nobody sees and a model reads. */
const invisible = /[\p{Cf}\p{Co}\p{Cn}\p{Variation_Selector}\u{FFFD}]+/gu;

/** A stranger's text for a program that reads it as words: without control and invisible characters, in one line, cut. */
export function inertText(text: string, most = 200): string {
  const plain = text
    .slice(0, 20 * most)
    .toWellFormed()
    .replace(invisible, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .normalize('NFC')
    .trim();
  return plain.length > most ? `${cutText(plain, most - 1).trimEnd()}…` : plain;
}
