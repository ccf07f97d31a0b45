import { Parser } from 'htmlparser2';

const breaks = new Set('p div br li ul ol tr table h1 h2 h3 h4 h5 h6'.split(' '));
const unseen = new Set('script style title template noscript'.split(' '));

/** Returns a name or title as one line, without markup and invisible characters. */
export function toPlainLine(text: string): string {
  return removeControls(withoutMarkup(text)).replace(/\s+/gu, ' ').trim();
}

/** Returns a description as the text of its HTML, with line breaks between blocks. */
export function toPlainText(html: string): string {
  return removeControls(withoutMarkup(html))
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Cuts a text longer than `most` characters at a word, with an ellipsis. */
export function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const end = cut.lastIndexOf(' ');
  const kept = end > most / 2 ? cut.slice(0, end) : cut.slice(0, most - 1);
  return `${kept.toWellFormed().replace(/(?<![\s\uFFFD,;:.–-])[\s\uFFFD,;:.–-]+$/u, '')}…`;
}

/**
 * Normalizes to well-formed NFC without control and text-direction characters. Keeps line breaks.
 */
function removeControls(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/(?!\n)\p{Cc}|[\u200B\u2060\uFEFF\u202A-\u202E\u2066-\u2069]/gu, '');
}

function withoutMarkup(text: string): string {
  if (!/[<&]/.test(text)) return text;
  let words = '';
  let hidden = 0;
  const parser = new Parser({
    onopentag(name) {
      if (unseen.has(name)) hidden++;
      else if (breaks.has(name)) words += '\n';
    },
    ontext(part) {
      if (hidden === 0) words += part;
    },
    onclosetag(name) {
      if (unseen.has(name)) hidden--;
      else if (breaks.has(name) && name !== 'br') words += '\n';
    },
  });
  parser.end(text);
  return words;
}
