import { type FieldSources, plainFieldName } from './feed-fields.ts';
import { currencyCode } from './feed-price.ts';

interface Heading {
  /** The name in compared form. */
  plain: string;
  currency?: string;
}

const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Splits a heading such as `Price (EUR)`, `Preis [€]` or `Cena (Kč)` into name and currency. */
export function withoutCurrency(heading: string): Heading {
  const [, name, word] = /^([^()[\]]+)[([]\s*([^()[\]\d]{1,4})\s*[)\]]\s*$/u.exec(heading) ?? [];
  if (name === undefined || word === undefined) return { plain: plainFieldName(heading) };
  const code = currencyCode(word);
  // A code in small letters is a word: `Price (all)`.
  const isCode = code !== null && codes.has(code) && (code !== word.toUpperCase() || code === word);
  return isCode
    ? { plain: plainFieldName(name), currency: code }
    : { plain: plainFieldName(heading) };
}

/** Reads a heading. A name that is known with its brackets stays. */
export function readHeading(heading: string, sources: FieldSources): Heading {
  const whole = plainFieldName(heading);
  const split = withoutCurrency(heading);
  return sources.has(whole) ? { ...split, plain: whole } : split;
}
