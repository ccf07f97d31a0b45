import { currencyOfWord, mayBeWritten } from '#app/features/feeds/formats/currency-words.ts';
import { parseMoney } from '#app/platform/money.ts';
import { readDay } from '#app/platform/written-days.ts';

export type MovedPrice =
  | { ok: true; price: number }
  | { ok: false; reason: 'bad-price' | 'other-currency' };

/** Parses a price in the currency of its deal. Prices in other currencies are not converted. */
export function readMovedPrice(text: string, named: string, currency: string): MovedPrice {
  if ([text, named].some((words) => namesOther(words, currency)))
    return { ok: false, reason: 'other-currency' };
  const price = parseMoney(text, currency);
  return price === null || price === 0 ? { ok: false, reason: 'bad-price' } : { ok: true, price };
}

/** Returns whether a text names a currency other than this one, by code, sign or word. */
function namesOther(text: string, currency: string): boolean {
  const words = text.split(/[\d.,'’\s()+−-]+/).filter((word) => word !== '');
  return words.some((word) => {
    const code = currencyOfWord.get(word.toLowerCase());
    if (code !== undefined)
      return code === null ? !mayBeWritten(currency, word) : code !== currency;
    const upper = word.toUpperCase();
    return upper !== currency && /^[A-Z]{3}$/.test(upper);
  });
}

/** The days that a date can mean. Both are the same if the date is unambiguous. */
export interface WrittenDay {
  dayFirst: string | null;
  monthFirst: string | null;
}

export function readWrittenDay(text: string): WrittenDay {
  return { dayFirst: readDay(text, 'dmy'), monthFirst: readDay(text, 'mdy') };
}
