import { DeletionDetail } from '#app/admin/frame/deletion-detail.tsx';
import type { Column } from '#app/admin/frame/data-table.tsx';
import { ListScreen } from '#app/admin/frame/list-screen.tsx';
import { useMay } from '#app/admin/frame/may-change.ts';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { optionsOf } from '#app/admin/frame/options-of.ts';
import { readList } from '#app/admin/frame/read-list.server.ts';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import type { RowAct } from '#app/admin/frame/row-acts.tsx';
import { deleteOrRestoreRow } from '#app/admin/frame/row-editor.server.ts';
import { RowName } from '#app/admin/frame/row-name.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { listMissedPaths } from '#app/features/catalog/missed-paths.server.ts';
import {
  countRedirectFigures,
  listRedirectRows,
  type RedirectRow,
} from '#app/features/catalog/redirect-table-queries.server.ts';
import { type RedirectSort, redirectTable } from '#app/features/catalog/redirect-table.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/manage-redirects-page';
import { MissedPaths } from './missed-path-list.tsx';
import { redirectEditor } from './redirect-editor.server.ts';

const mostMissed = 50;

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.read');
  const { now } = appServices(context);
  return readList(request, context, {
    spec: redirectTable,
    what: 'redirects',
    page: listRedirectRows,
    figures: async (db) => ({
      ...(await countRedirectFigures(db)),
      missed: await listMissedPaths(db, mostMissed),
      now: now(),
    }),
  });
}

/** Deletes a redirect, or restores the deleted one. */
export function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'catalog.write');
  return deleteOrRestoreRow(request, context, redirectEditor);
}

export const meta = titled('Redirects');

const shown = optionsOf({
  '301': 'Moved permanently (301)',
  '302': 'Moved for now (302)',
  '410': 'Gone (410)',
  patterns: 'Patterns',
  unused: 'Never used',
});

function columnsOf(now: Date): Column<RedirectRow, RedirectSort>[] {
  return [
    {
      label: 'Old address',
      sort: 'from',
      cell: ({ id, from_path: from }) => (
        <RowName href={`/admin/redirects/${id}/edit`} name={from} />
      ),
    },
    { label: 'New address', cell: ({ target }) => target ?? 'Gone' },
    { label: 'Kind', isNumber: true, cell: ({ status }) => status },
    {
      label: 'Visits',
      sort: 'hits',
      isNumber: true,
      cell: ({ hits }) => hits.toLocaleString('en-US'),
    },
    {
      label: 'Last visit',
      sort: 'last',
      cell: ({ last_hit_at: last }) => (last ? <RelativeTime at={last} now={now} /> : 'Never'),
    },
    { label: 'Created by', cell: ({ created_by: name }) => name ?? 'Unknown' },
  ];
}

export default function ManageRedirectsPage({ loaderData }: Route.ComponentProps) {
  const mayChange = useMay('catalog.write');
  const mayWritePosts = useMay('blog.write');
  if (!loaderData.ok) return <LoadFailure title="Redirects" failure={loaderData} />;
  const { total, used, unused, missed, now } = loaderData.figures;
  return (
    <div className="column gap-8">
      <ListScreen
        title="Redirects"
        about={
          <>
            Old addresses that redirect to new ones. A redirect applies only where the site has no
            page.{' '}
            {mayChange ? (
              <>
                <Link to="/admin/redirects/upload">Upload a list or undo an import</Link> ·{' '}
              </>
            ) : null}
            {mayChange && mayWritePosts ? (
              <>
                <Link to="/admin/move-in/posts">Move in from WordPress</Link> ·{' '}
              </>
            ) : null}
            <a href="/admin/redirects/export" download>
              Download as CSV
            </a>
          </>
        }
        spec={redirectTable}
        list={loaderData}
        noun={{ one: 'redirect', many: 'redirects' }}
        nameOf={({ from_path: from }) => from}
        changeRight="catalog.write"
        begin={{ to: '/admin/redirects/new', label: 'Add Redirect' }}
        stats={[
          { label: 'Redirects', value: total, href: redirectTable.path },
          { label: 'Used', value: used, href: `${redirectTable.path}?sort=-last` },
          { label: 'Never used', value: unused, href: `${redirectTable.path}?show=unused` },
        ]}
        searchLabel="Search by old or new address"
        filters={[{ name: 'show', label: 'Show', options: shown }]}
        columns={columnsOf(now)}
        actsOf={actsOf}
        empty={{
          icon: 'search',
          title: 'No redirects found',
          hint: 'Add one for an address of your old site. Changed slugs redirect automatically.',
        }}
      />
      <MissedPaths missed={missed} now={now} />
    </div>
  );
}

function actsOf({ id, from_path: from, target }: RedirectRow): RowAct[] {
  const detail = <DeletionDetail name={target === null ? from : `${from} to ${target}`} />;
  return [
    { label: 'Edit', to: `/admin/redirects/${id}/edit`, isOver: true, isEdit: true },
    {
      label: 'Delete',
      intent: 'delete',
      ask: { question: 'Are you sure you want to delete this redirect?', detail },
    },
  ];
}
