import { type FieldSources, plainFieldName } from './feed-fields.ts';
import { currencyCode } from './feed-price.ts';

interface Heading {
  /** The normalized name. */
  plain: string;
  currency?: string;
}

const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/**
 * Splits a heading such as `Price (EUR)`, `Preis [€]` or `Cena (Kč)` into a name and a currency.
 */
export function withoutCurrency(heading: string): Heading {
  const whole = { plain: plainFieldName(heading) };
  const text = heading.trim();
  const open = Math.max(text.lastIndexOf('('), text.lastIndexOf('['));
  if (open < 1 || !/[)\]]$/.test(text)) return whole;
  const name = text.slice(0, open);
  const word = text.slice(open + 1, -1).trim();
  if (word === '' || word.length > 4) return whole;
  const code = currencyCode(word);
  // A lower-case code is an ordinary word, as in `Price (all)`.
  const isCode = code !== null && codes.has(code) && (code !== word.toUpperCase() || code === word);
  return isCode ? { plain: plainFieldName(name), currency: code } : whole;
}

/** Parses a heading. A name that is known with its brackets is kept whole. */
export function readHeading(heading: string, sources: FieldSources): Heading {
  const whole = plainFieldName(heading);
  const split = withoutCurrency(heading);
  return sources.has(whole) ? { ...split, plain: whole } : split;
}
