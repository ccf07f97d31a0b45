import { redirect } from 'react-router';
import {
  changeView,
  deleteView,
  keepColumns,
  listViews,
  longestViewName,
  readColumns,
  saveView,
  type ViewWords,
} from '#app/features/desk/saved-views.server.ts';
import { requireUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { readText } from '#app/platform/read-text.ts';
import {
  parseColumns,
  parseTableQuery,
  type TableQuery,
  tableHref,
  type TableSpec,
} from '#app/platform/table-query.ts';
import { listAddress, redirectWithError, redirectWithFlash } from './flash.server.ts';
import type { Context } from './read-or-fail.server.ts';

type Spec = TableSpec<string, string>;

/** Returns the user's view of a list: saved views, and the columns chosen or in the URL. */
export async function readViews<Sort extends string, Filter extends string>(
  context: Context,
  spec: TableSpec<Sort, Filter>,
  query: TableQuery<Sort, Filter>,
  usual: readonly string[],
) {
  const { db } = appServices(context);
  const user = requireUser(context).id;
  const [saved, chosen] = await Promise.all([
    listViews(db, user, spec.path),
    query.columns ? query.columns : readColumns(db, user, spec.path),
  ]);
  const views = saved.map(({ search, ...view }) => ({
    ...view,
    // Normalizes the URL to the list's current form, without filters that no longer exist.
    href: tableHref(spec, parseTableQuery(spec, new URLSearchParams(search))),
  }));
  // Drops columns that a release removed.
  const known = chosen ? parseColumns(spec, chosen.join(' ')) : null;
  return { views, columns: known ?? usual };
}

const viewActs = ['save-view', 'change-view', 'delete-view', 'columns', 'usual-columns'] as const;
type ViewAct = (typeof viewActs)[number];

export function viewActOf(form: FormData): ViewAct | undefined {
  return viewActs.find((act) => act === readText(form, 'intent'));
}

/** Handles the actions on a list's views and columns. The rows themselves are unchanged. */
export async function actOnViews(
  request: Request,
  context: Context,
  { spec, act, form }: { spec: Spec; act: ViewAct; form: FormData },
) {
  const { db } = appServices(context);
  const user = requireUser(context).id;
  const here = listAddress(request);
  if (act === 'columns' || act === 'usual-columns') {
    const names = form.getAll('columns').filter((name) => typeof name === 'string');
    const columns = act === 'columns' ? parseColumns(spec, names.join(' ')) : null;
    await keepColumns(db, user, spec.path, columns);
    const query = parseTableQuery(spec, new URL(request.url).searchParams);
    return redirect(tableHref(spec, { ...query, columns: null }));
  }
  const id = parseRowId(readText(form, 'id')) ?? 0;
  if (act === 'delete-view') {
    return (await deleteView(db, user, id))
      ? redirectWithFlash(context, spec.path, 'View deleted.')
      : redirectWithError(context, here, gone);
  }
  const words = readWords(form);
  if (!words) return redirectWithError(context, here, 'Give the view a name.');
  if (act === 'change-view') {
    const done = await changeView(db, user, id, words);
    if (done === 'done') return redirectWithFlash(context, here, 'View saved.');
    return redirectWithError(
      context,
      here,
      done === 'gone' ? gone : 'You already have a view with this name.',
    );
  }
  const asked = parseTableQuery(spec, new URLSearchParams(readText(form, 'search')));
  const href = tableHref(spec, { ...asked, page: 1 });
  const search = href.slice(spec.path.length);
  return (await saveView(db, user, { ...words, list: spec.path, search }))
    ? redirectWithFlash(context, href, `Saved as “${words.name}”.`)
    : redirectWithError(context, here, 'You have the maximum of fifty views. Delete one first.');
}

const gone = 'This view no longer exists.';

function readWords(form: FormData): ViewWords | null {
  const name = readText(form, 'name').normalize('NFC').replace(/\s+/g, ' ').trim();
  if (name === '' || name.length > longestViewName) return null;
  return { name, isShared: form.get('shared') === 'on' };
}
