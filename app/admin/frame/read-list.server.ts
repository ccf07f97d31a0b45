import type { Db } from '#database/connect.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { leadToLastPage } from '#app/platform/page-number.ts';
import { parseTableQuery, type TableQuery, type TableSpec } from '#app/platform/table-query.ts';
import { type Context, readOrFail } from './read-or-fail.server.ts';

/** Reads a list for the request's URL, or returns the reason why it cannot be read. */
export function readList<
  Page extends { pageCount: number },
  Figures,
  Sort extends string,
  Filter extends string,
>(
  request: Request,
  context: Context,
  {
    spec,
    what,
    page,
    figures,
  }: {
    spec: TableSpec<Sort, Filter>;
    /** The noun of the message "Error loading deals". */
    what: string;
    page: (db: Db, query: TableQuery<Sort, Filter>) => Promise<Page>;
    /** Reads the rest of the screen. */
    figures: (db: Db, query: TableQuery<Sort, Filter>) => Promise<Figures>;
  },
) {
  const { db, now } = appServices(context);
  const query = parseTableQuery(spec, new URL(request.url).searchParams);
  return readOrFail(context, what, async () => {
    const [rows, more] = await Promise.all([page(db, query), figures(db, query)]);
    leadToLastPage(request, rows.pageCount, Infinity);
    return { query, page: rows, figures: more, now: now() };
  });
}
