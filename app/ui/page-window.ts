/** A page's number, or a gap for omitted numbers. */
export type PageStep = number | 'gap';

/**
 * Returns the numbers of a pager: the first, the last, the current one and its neighbors. A gap
 * never hides a single page, since its number takes no more space.
 */
export function pageWindow(page: number, pageCount: number): PageStep[] {
  const shown = [1, page - 1, page, page + 1, pageCount]
    .filter((number) => number >= 1 && number <= pageCount)
    .toSorted((a, b) => a - b);
  const steps: PageStep[] = [];
  let last = 0;
  for (const number of new Set(shown)) {
    if (number - last === 2) steps.push(number - 1);
    if (number - last > 2) steps.push('gap');
    steps.push(number);
    last = number;
  }
  return steps;
}

/** Returns the URL of a page of a list that has no other parameters. */
export function pageHref(path: string, page: number): string {
  return page > 1 ? `${path}?page=${page}` : path;
}
