import type { PageOffer } from '#app/features/feeds/offers/read-page-offer.ts';
import { toDecimal } from '#app/platform/money.ts';

/** Fills the blank fields of a deal's form from a page, and lists the filled ones as text. */
export function fillEmptyFields(
  typed: Readonly<Record<string, string>>,
  { title, sale_price, image_url, availability, brand, gtin }: Omit<PageOffer, 'currency'>,
  currency: string,
): { values: Record<string, string>; names: string[] } {
  const found = [
    ['title', title, 'the title'],
    ['sale_price', sale_price === null ? null : toDecimal(sale_price, currency), 'the price'],
    ['image_url', image_url, 'the picture'],
    ['availability', availability, 'the availability'],
    ['brand', brand, 'the brand'],
    ['gtin', gtin, 'the GTIN'],
  ] as const;
  const values: Record<string, string> = { ...typed };
  const names: string[] = [];
  for (const [field, value, words] of found) {
    const present = (values[field] ?? '').trim();
    if (value === null || (present !== '' && present !== 'unknown')) continue;
    values[field] = value;
    names.push(words);
  }
  return { values, names };
}
