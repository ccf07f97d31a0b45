import { type DealListInput, toSearchParams } from '#app/features/deals/deal-list-input.ts';

/** The address of a list with its filters, order and page. */
export function listHref(path: string, input: Partial<DealListInput>): string {
  const parameters = toSearchParams(input).toString();
  return parameters === '' ? path : `${path}?${parameters}`;
}
