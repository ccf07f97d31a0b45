import { exponentOf, mostUnits, unitsIn } from '#app/platform/money.ts';

export type DecimalMark = '.' | ',';

/** Returns the number in a cell, without currency signs and letters: `1.249,00`. */
function bareNumber(text: string): string {
  return text
    .replaceAll(/\p{L}+\.?/gu, '')
    .replaceAll(/[^\d.,]/g, '')
    .replace(/[.,]$/, '');
}

/** Returns the decimal mark of this number, or `null` if both marks are possible. */
function markOf(text: string): DecimalMark | null {
  const bare = bareNumber(text);
  const marks = bare.replaceAll(/\d/g, '');
  const last = marks.at(-1);
  if (last !== '.' && last !== ',') return null;
  const other = last === '.' ? ',' : '.';
  if (marks.includes(other)) return last;
  if (marks.length > 1) return other;
  const [whole = '', fraction = ''] = bare.split(last);
  const isGrouped = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  return isGrouped ? null : last;
}

/**
 * Infers the decimal mark of a report from its numbers. Returns `null` if they are ambiguous or
 * contradictory. A whole report is read the same way, because `1.249` alone is ambiguous.
 */
export function findDecimalMark(texts: readonly string[]): DecimalMark | null {
  const marks = new Set(texts.map(markOf).filter((mark) => mark !== null));
  const [only] = marks;
  return marks.size === 1 && only ? only : null;
}

/** characters */
const longestAmount = 60;

export type AmountRead = { ok: true; amount: number } | { ok: false; reason: string };

const unreadable: AmountRead = { ok: false, reason: 'The commission is not a number.' };
const ambiguous: AmountRead = {
  ok: false,
  reason: 'The commission can be read in two ways. Choose the decimal mark.',
};
const contradicting: AmountRead = {
  ok: false,
  reason: 'The commission has another decimal mark than the report.',
};
const signs: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', '₹': 'INR', '₽': 'RUB' };

/** Parses a commission to minor units. Excess decimals are rounded. */
export function readAmount(text: string, currency: string, mark: DecimalMark | null): AmountRead {
  const typed = text.trim();
  if (typed.length > longestAmount) return unreadable;
  const named = currencyIn(typed);
  if (named !== null && named !== currency)
    return { ok: false, reason: `The commission is in ${named}, the row in ${currency}.` };
  const numbers = typed.split(/[^\d.,\s'’]+/).filter((part) => /\d/.test(part));
  if (numbers.length !== 1) return unreadable;
  const isNegative = /[-−(]/.test(typed);
  const bare = bareNumber(typed);
  const decimal = markOf(typed) ?? mark;
  if (mark !== null && decimal !== mark) return contradicting;
  if (decimal === null && /[.,]/.test(bare)) return ambiguous;
  const thousands = decimal === ',' ? '.' : ',';
  const [whole = '', fraction = '', rest] = bare.split(decimal ?? '.');
  if (rest !== undefined || fraction.includes(thousands)) return unreadable;
  if (!/^\d*(?:[.,]\d{2,3})*$/.test(whole)) return unreadable;
  const exponent = exponentOf(currency);
  const kept = Number(fraction.slice(0, exponent).padEnd(exponent, '0') || '0');
  const isUp = (fraction[exponent] ?? '0') >= '5';
  const amount = Number(whole.replaceAll(/\D/g, '')) * unitsIn(currency) + kept + (isUp ? 1 : 0);
  if (amount > mostUnits) return { ok: false, reason: 'The commission is too large.' };
  return { ok: true, amount: isNegative && amount > 0 ? -amount : amount };
}

/** Returns the currency that a cell names by its code or sign, or `null`. `$` is ambiguous. */
function currencyIn(text: string): string | null {
  const code = /(?<![A-Z])[A-Z]{3}(?![A-Z])/.exec(text)?.[0];
  if (code && isCurrency(code)) return code;
  return signs[/\p{Sc}/u.exec(text)?.[0] ?? ''] ?? null;
}

const known = new Set(Intl.supportedValuesOf('currency'));

export function isCurrency(code: string): boolean {
  return known.has(code);
}
