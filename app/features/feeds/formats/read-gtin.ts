import { checkGtin } from '#app/features/deals/gtin.ts';

/**
 * Returns the first valid code in a cell, which may contain one code, also with spaces and hyphens,
 * or a list in any notation. If there is none, a note gives the reason, unless the cell is a
 * placeholder for a missing code.
 */
export function readGtin(text: string | undefined, notes: string[]): string | null {
  if (!text) return null;
  if (/^\d{12,14}$/.test(text)) {
    const checked = checkGtin(text);
    if (checked.ok) return checked.gtin;
  }
  let fault: { code: string; reason: string } | null = null;
  for (const part of partsOf(text)) {
    const found = readPart(part);
    if (found === null) continue;
    if (found.ok) return found.gtin;
    fault ??= { code: part.trim().slice(0, 40), reason: found.reason };
  }
  if (fault) notes.push(`imported without its GTIN ${fault.code}: ${fault.reason}`);
  return null;
}

const sheetNumber = /^[\s="']*(\d[.,]\d+e\+?\d+)[\s"']*$/i;

function partsOf(text: string): string[] {
  const number = sheetNumber.exec(text)?.[1];
  return number === undefined ? text.split(/[,;|/[\]"']+/) : [number];
}

function readPart(text: string) {
  const part = text.replace(/^\s*(?:ean|gtin|upc|isbn)(?:-?1[0-4])?\s*[:#]?\s*/i, '');
  const joined = part.replace(/[\s=-]/g, '').replace(/^(\d+)\.0+$/, '$1');
  const digits = wholeNumber(joined);
  if (digits === 'rounded') {
    return { ok: false, reason: 'a spreadsheet rounded it' } as const;
  }
  const isbn = fromIsbn(digits);
  const whole = isbn ?? (/^\d+$/.test(digits) ? digits : null);
  const first = part.trim().split(/\s+/, 1)[0] ?? '';
  if (whole !== null && (whole.length <= 14 || !/^\d+$/.test(first))) return judge(whole);
  return /^\d+$/.test(first) ? judge(first) : null;
}

/** Checks a code. Fewer than 8 digits, or only zeros, mean "no code". */
function judge(digits: string) {
  return digits.length < 8 || /^0*$/.test(digits) ? null : checkGtin(digits);
}

/** Expands a number that a spreadsheet wrote as `4.00638E+12`, if no digits are missing. */
function wholeNumber(text: string): string {
  const found = /^(\d)(?:[.,](\d+))?e\+?(\d{1,2})$/i.exec(text);
  if (!found) return text;
  const [, head = '', tail = '', power = ''] = found;
  const most = Number(power);
  return tail.length === most ? head + tail : 'rounded';
}

/** Converts a ten-character ISBN to the 13-digit code of the same book. */
function fromIsbn(text: string): string | null {
  if (!/^\d{9}[\dX]$/i.test(text)) return null;
  let sum = 0;
  for (let at = 0; at < 10; at++) {
    sum += (10 - at) * (/x/i.test(text[at] ?? '') ? 10 : Number(text[at]));
  }
  if (sum % 11 !== 0) return null;
  const twelve = `978${text.slice(0, 9)}`;
  return (
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
      .map((digit) => `${twelve}${digit}`)
      .find((code) => checkGtin(code).ok) ?? null
  );
}
