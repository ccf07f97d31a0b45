import { redirect } from 'react-router';
import { askedAddress } from './asked-address.ts';
import { type PageParameters, readParameters } from './page-parameters.ts';

/** The last page of public lists (security.md, limits). */
export const deepestPage = 500;

/** The parameters of a list that takes only a page number. */
export const pagedParameters: PageParameters<{ page: number }> = {
  page: {
    name: 'page',
    read(text) {
      const page = readPageNumber(text);
      return page !== undefined && page <= deepestPage ? page : undefined;
    },
    write: (page) => (page > 1 ? String(page) : ''),
  },
};

/**
 * Parses the `page` parameter of a list. An invalid value means the first page, so that no URL
 * causes an error.
 */
export function parsePageNumber(query: URLSearchParams): number {
  return readParameters(pagedParameters, query).page ?? 1;
}

/** Parses a positive integer, however large. Returns undefined for other values. */
export function readPageNumber(text: string | null): number | undefined {
  const page = /^\d+$/.test(text ?? '') ? Number(text) : 0;
  return page >= 1 ? page : undefined;
}

/**
 * Redirects a page number past the end to the last page, since a missing page must not look like an
 * existing one. Admin lists have no `deepest`.
 */
export function leadToLastPage(request: Request, pageCount: number, deepest = deepestPage): void {
  const { pathname, searchParams } = askedAddress(request);
  const last = Math.min(pageCount, deepest);
  if ((readPageNumber(searchParams.get('page')) ?? 1) <= last) return;
  if (last > 1) searchParams.set('page', String(last));
  else searchParams.delete('page');
  throw redirect(`${pathname}?${searchParams}`.replace(/\?$/, ''));
}
