import { bare, foldTitle } from './fold-title.ts';

/** Amounts, such as "256gb" and "1080p", which identify nothing. */
const amount =
  /^(?:\d{1,5}x\d{1,5}|\d+(?:[.,]\d+)?(?:[kmgt]i?b|[kmg]?hz|[kmc]?m|m?ah|k?wh?|m?l|k?g|k?v|[ip]|in|inch|mp|mpx|fps|ppm|dpi|rpm|bit|pack|pcs|pc|x|cu|ft|lbs?|oz|btu|mbps|gbps|th|st|nd|rd|er|teilig|zoll|atm|ct|cm)|\d+gb\/s)$/u;

/**
 * Returns the model numbers in a title, such as `wh1000xm5`, without their hyphens and dots. For a
 * number with hyphens, its longer parts are returned as well.
 */
export function readCodes(title: string): Set<string> {
  return codesIn(foldTitle(title));
}

/** Returns the model numbers in a folded title. */
export function codesIn(folded: string): Set<string> {
  const codes = new Set<string>();
  for (const token of folded.match(/[\p{L}\d]+(?:[-./][\p{L}\d]+)*/gu) ?? []) {
    if (!/\d/.test(token) || amount.test(token)) continue;
    const parts = token.split(/[-./]/);
    const whole = bare(token);
    if (isCode(whole) && !parts.every((part) => amount.test(part))) codes.add(whole);
    if (parts.length > 1) {
      for (const part of parts)
        if (part.length > 4 && /\p{L}/u.test(part) && isCode(part)) codes.add(part);
    }
  }
  return codes;
}

/** Whether a word is a model number: letters and digits, or a long number. */
function isCode(word: string): boolean {
  if (word.length < 4 || word.length > 30 || amount.test(word)) return false;
  return /\p{L}/u.test(word) ? /\d/.test(word) : word.length > 4;
}

/** Returns the code of a part number, which is compared only within a brand. */
export function codeOfPart(brand: string | null, mpn: string | null): string | null {
  const [maker, part] = [bare(foldTitle(brand ?? '')), bare(foldTitle(mpn ?? ''))];
  return maker === '' || part === '' ? null : `${maker.slice(0, 40)} ${part.slice(0, 70)}`;
}
