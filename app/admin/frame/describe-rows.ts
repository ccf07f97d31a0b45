import { countNoun } from '#app/platform/count-noun.ts';
import { rowsPerPage, type TablePage } from '#app/platform/table-query.ts';

export interface Noun {
  one: string;
  many: string;
}

/** Returns a text such as `Showing 1–50 of 412 deals` or `Showing 1 deal`. */
export function describeRows({ rows, total, page }: TablePage<unknown>, noun: Noun): string {
  if (total === rows.length) return `Showing ${countOf(total, noun)}`;
  const first = (page - 1) * rowsPerPage + 1;
  const range = `${first.toLocaleString('en-US')}–${(first + rows.length - 1).toLocaleString('en-US')}`;
  return `Showing ${range} of ${countOf(total, noun)}`;
}

/** Returns a text such as `1 deal` or `1,204 deals`. */
export function countOf(count: number, noun: Noun): string {
  return countNoun(count, noun.one, noun.many);
}
