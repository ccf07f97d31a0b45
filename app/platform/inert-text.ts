import { shortenText } from './cut-text.ts';

/**
 * Characters that change the direction of reading, and characters that are invisible to people but
 * read by a model.
 */
const invisible = /[\p{Cf}\p{Co}\p{Cn}\p{Variation_Selector}\u{FFFD}]+/gu;

/**
 * Returns a stranger's text for an API client that reads it as prose: without control and invisible
 * characters, on one line, cut.
 */
export function inertText(text: string, most = 200): string {
  const plain = text
    .slice(0, 20 * most)
    .toWellFormed()
    .replace(invisible, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .normalize('NFC')
    .trim();
  return shortenText(plain, most);
}
