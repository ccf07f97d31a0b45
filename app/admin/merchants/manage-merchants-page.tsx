import { DeletionDetail } from '#app/admin/frame/deletion-detail.tsx';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import type { Route } from './+types/manage-merchants-page';
import { type Earned, earningsOf } from '#app/features/earnings/earning-figures.server.ts';
import { formatPerClick } from '#app/features/earnings/format-earned.ts';
import { MerchantLogo } from '#app/features/merchants/merchant-logo.tsx';
import { merchantMessages } from '#app/features/merchants/merchant-messages.ts';
import {
  countMerchantFigures,
  listMerchantRows,
  type MerchantRow,
} from '#app/features/merchants/merchant-table-queries.server.ts';
import { type MerchantSort, merchantTable } from '#app/features/merchants/merchant-table.ts';
import type { Column } from '#app/admin/frame/data-table.tsx';
import { ListScreen } from '#app/admin/frame/list-screen.tsx';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { optionsOf } from '#app/admin/frame/options-of.ts';
import { readList } from '#app/admin/frame/read-list.server.ts';
import type { RowAct } from '#app/admin/frame/row-acts.tsx';
import { deleteOrRestoreRow } from '#app/admin/frame/row-editor.server.ts';
import { RowName } from '#app/admin/frame/row-name.tsx';
import { StatusPill } from '#app/admin/frame/status-pill.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { Link } from '#app/ui/link.tsx';
import { merchantEditor } from './merchant-editor.server.ts';

export function loader({ request, context }: Route.LoaderArgs) {
  const user = requireRight(context, 'catalog.read');
  const { now } = appServices(context);
  return readList(request, context, {
    spec: merchantTable,
    what: 'merchants',
    page: async (db, query) => {
      const page = await listMerchantRows(db, query);
      const ids = user.rights.has('earnings.read') ? page.rows.map(({ id }) => id) : [];
      const earned = await earningsOf(db, 'merchant', ids, { days: 30, now: now() });
      const rows = page.rows.map((row) => ({ ...row, earned: earned.get(row.id) ?? [] }));
      return { ...page, rows };
    },
    figures: countMerchantFigures,
  });
}

/** Deletes a merchant, or undoes a deletion. */
export function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'catalog.write');
  return deleteOrRestoreRow(request, context, merchantEditor);
}

export const meta = titled('Merchants');

type ListedMerchant = MerchantRow & { earned: Earned[] };

const columns: Column<ListedMerchant, MerchantSort>[] = [
  {
    label: 'Merchant',
    sort: 'name',
    cell: (row) => (
      <RowName
        picture={<MerchantLogo merchant={row} />}
        href={`/admin/merchants/${row.id}/edit`}
        name={row.name}
        note={row.description}
      >
        {row.is_featured ? <StatusPill variant="warn">Featured</StatusPill> : null}
        {row.website_url ? <StatusPill variant="plain">Has Website</StatusPill> : null}
        {row.hasAffiliateLink ? <StatusPill variant="plain">Affiliate link</StatusPill> : null}
      </RowName>
    ),
  },
  {
    label: 'Website',
    cell: (row) =>
      row.website_url ? (
        <a href={row.website_url} target="_blank" rel="noreferrer noopener">
          Visit Site
          <span className="visually-hidden"> of {row.name}, opens in a new tab</span>
        </a>
      ) : (
        'No website'
      ),
  },
  {
    label: 'Live deals',
    sort: 'deals',
    isNumber: true,
    cell: (row) => row.deal_count.toLocaleString('en-US'),
  },
  {
    label: 'Clicks, 30 days',
    sort: 'clicks',
    isNumber: true,
    cell: ({ id, clicks }) => (
      <Link to={`/admin/clicks?merchant=${id}`}>{clicks.toLocaleString('en-US')}</Link>
    ),
  },
  {
    label: 'Per click',
    isNumber: true,
    cell: ({ earned, clicks }) => formatPerClick(earned, clicks),
  },
  { label: 'Status', cell: () => <StatusPill variant="good">Active</StatusPill> },
];

const shown = optionsOf({
  featured: 'Featured',
  'with-website': 'With website',
  'without-link': 'Without affiliate link',
});
const viewOf = (show: string) => `${merchantTable.path}?show=${show}`;

export default function ManageMerchantsPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Merchants" failure={loaderData} />;
  const { total, featured, withWebsite } = loaderData.figures;
  return (
    <ListScreen
      title="Merchants"
      spec={merchantTable}
      list={loaderData}
      noun={{ one: 'merchant', many: 'merchants' }}
      nameOf={({ name }) => name}
      changeRight="catalog.write"
      begin={{ to: '/admin/merchants/new', label: 'Add Merchant' }}
      stats={[
        { label: 'Total Merchants', value: total, href: merchantTable.path },
        { label: 'Featured', value: featured, href: viewOf('featured') },
        { label: 'With Website', value: withWebsite, href: viewOf('with-website') },
      ]}
      searchLabel="Search by name or description"
      filters={[{ name: 'show', label: 'Show', options: shown }]}
      columns={columns}
      actsOf={actsOf}
      empty={{
        icon: 'store',
        title: 'No merchants found',
        hint: 'Every deal belongs to a merchant. Add the first one, or import a feed.',
      }}
    />
  );
}

function actsOf({ id, slug, name }: MerchantRow): RowAct[] {
  const ask = { question: merchantMessages.confirmDelete, detail: <DeletionDetail name={name} /> };
  return [
    { label: 'Edit', to: `/admin/merchants/${id}/edit`, isOver: true, isEdit: true },
    { label: 'View on the site', to: `/merchants/${slug}` },
    { label: 'Discount check', to: `/admin/merchants/${id}/discount-check` },
    { label: 'Its deals', to: `/admin/deals?merchant=${id}` },
    { label: 'Delete', intent: 'delete', ask },
  ];
}
