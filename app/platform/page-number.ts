import { redirect } from 'react-router';
import { askedAddress } from './asked-address.ts';
import { type PageParameters, readParameters } from './page-parameters.ts';

/** The public pages no deeper than this (security.md, limits). */
export const deepestPage = 500;

/** What a list with nothing but pages reads. */
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

/** The `page` parameter of a list; a wrong value counts as the first page, so that no address is an error. */
export function parsePageNumber(query: URLSearchParams): number {
  return readParameters(pagedParameters, query).page ?? 1;
}

/** A whole number from 1, however large; of anything else undefined. */
export function readPageNumber(text: string | null): number | undefined {
  const page = /^\d+$/.test(text ?? '') ? Number(text) : 0;
  return page >= 1 ? page : undefined;
}

/**
 * The address of a page behind the last leads to the last: a page that is not there must not look like one. Lists of
 * staff have no `deepest`.
 */
export function leadToLastPage(request: Request, pageCount: number, deepest = deepestPage): void {
  const { pathname, searchParams } = askedAddress(request);
  const last = Math.min(pageCount, deepest);
  if ((readPageNumber(searchParams.get('page')) ?? 1) <= last) return;
  if (last > 1) searchParams.set('page', String(last));
  else searchParams.delete('page');
  throw redirect(`${pathname}?${searchParams}`.replace(/\?$/, ''));
}
