/** The public pages no deeper than this (security.md, limits). */
export const deepestPage = 500;

/** The `page` parameter of a list; a wrong value counts as the first page, so that no address is an error. */
export function parsePageNumber(params: URLSearchParams): number {
  const page = Number(params.get('page') ?? 1);
  return Number.isInteger(page) && page >= 1 && page <= deepestPage ? page : 1;
}
