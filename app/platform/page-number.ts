import { type PageParameters, readParameters } from './page-parameters.ts';

/** The public pages no deeper than this (security.md, limits). */
export const deepestPage = 500;

/** What a list with nothing but pages reads. */
export const pagedParameters: PageParameters<{ page: number }> = {
  page: {
    name: 'page',
    read(text) {
      const page = Number(text);
      return Number.isInteger(page) && page >= 1 && page <= deepestPage ? page : undefined;
    },
    write: (page) => (page > 1 ? String(page) : ''),
  },
};

/** The `page` parameter of a list; a wrong value counts as the first page, so that no address is an error. */
export function parsePageNumber(query: URLSearchParams): number {
  return readParameters(pagedParameters, query).page ?? 1;
}
