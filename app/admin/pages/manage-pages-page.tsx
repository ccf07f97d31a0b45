import type { Column } from '#app/admin/frame/data-table.tsx';
import { DeletionDetail } from '#app/admin/frame/deletion-detail.tsx';
import { ListScreen } from '#app/admin/frame/list-screen.tsx';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { optionsOf } from '#app/admin/frame/options-of.ts';
import { readList } from '#app/admin/frame/read-list.server.ts';
import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import type { RowAct } from '#app/admin/frame/row-acts.tsx';
import { RowName } from '#app/admin/frame/row-name.tsx';
import { StatusPill } from '#app/admin/frame/status-pill.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { pageMessages } from '#app/features/pages/page-messages.ts';
import {
  countPageFigures,
  listPageRows,
  type PageRow,
} from '#app/features/pages/page-table-queries.server.ts';
import { type PageSort, pageTable } from '#app/features/pages/page-table.ts';
import type { Route } from './+types/manage-pages-page';
import { actOnPages } from './act-on-pages.server.ts';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'blog.read');
  return readList(request, context, {
    spec: pageTable,
    what: 'pages',
    page: listPageRows,
    figures: countPageFigures,
  });
}

/** Shows, hides or deletes a page, restores an original text, or undoes one of these actions. */
export function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'blog.write');
  return actOnPages(request, context);
}

export const meta = titled('Pages');

const shown = optionsOf({
  own: 'Your pages',
  drafts: 'Drafts',
  texts: 'Pages of the site',
  changed: 'Pages with your text',
});

const editHref = ({ id, text }: PageRow) =>
  text ? `/admin/pages/texts/${text}` : `/admin/pages/${id}/edit`;

function columnsOf(now: Date): Column<PageRow, PageSort>[] {
  return [
    {
      label: 'Title',
      sort: 'title',
      cell: (row) => (
        <RowName href={editHref(row)} name={row.title} note={`/${row.slug}`}>
          {row.noindex ? <StatusPill variant="plain">Not in search engines</StatusPill> : null}
        </RowName>
      ),
    },
    { label: 'Status', cell: (row) => <PageStatus row={row} /> },
    {
      label: 'Last change',
      sort: 'changed',
      cell: ({ updated_at: at }) => (at ? <RelativeTime at={at} now={now} /> : 'Never'),
    },
  ];
}

function PageStatus({ row: { text, is_stored, is_visible } }: { row: PageRow }) {
  if (text && !is_stored) return <StatusPill variant="plain">Original text</StatusPill>;
  if (text) return <StatusPill variant="good">Your text</StatusPill>;
  return is_visible ? (
    <StatusPill variant="good">Visible</StatusPill>
  ) : (
    <StatusPill variant="warn">Draft</StatusPill>
  );
}

export default function ManagePagesPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Pages" failure={loaderData} />;
  const { own, drafts, changed } = loaderData.figures;
  const viewOf = (show: string) => `${pageTable.path}?show=${show}`;
  return (
    <ListScreen
      title="Pages"
      about="The texts of the site, and pages of your own."
      spec={pageTable}
      list={loaderData}
      noun={{ one: 'page', many: 'pages' }}
      nameOf={({ title }) => title}
      changeRight="blog.write"
      begin={{ to: '/admin/pages/new', label: 'New Page' }}
      stats={[
        { label: 'Your pages', value: own, href: viewOf('own') },
        { label: 'Drafts', value: drafts, href: viewOf('drafts') },
        { label: 'With your text', value: changed, href: viewOf('changed') },
      ]}
      searchLabel="Search by title or address"
      filters={[{ name: 'show', label: 'Show', options: shown }]}
      columns={columnsOf(loaderData.now)}
      actsOf={actsOf}
      empty={{
        icon: 'book',
        title: 'No pages found',
        hint: 'Pages of your own have an address such as /shipping.',
      }}
    />
  );
}

function actsOf(row: PageRow): (RowAct | null)[] {
  const { title, slug, text, is_stored, is_visible } = row;
  const view: RowAct | null = is_visible ? { label: 'View', to: `/${slug}` } : null;
  const edit: RowAct = { label: 'Edit', to: editHref(row), isEdit: true };
  if (text) {
    const question = pageMessages.confirmRestoreOriginal;
    const ask = { question, detail: 'Your text moves to the trash for 30 days.' };
    return [
      view,
      edit,
      is_stored ? { label: 'Restore the original', intent: 'delete', ask } : null,
    ];
  }
  const ask = { question: pageMessages.confirmDelete, detail: <DeletionDetail name={title} /> };
  return [
    view,
    edit,
    is_visible ? { label: 'Unpublish', intent: 'hide' } : { label: 'Publish', intent: 'show' },
    { label: 'Delete', intent: 'delete', ask },
  ];
}
