import { Link, Outlet } from 'react-router';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import type { Route } from './+types/manage-merchants-page';
import { MerchantLogo } from '#app/features/merchants/merchant-logo.tsx';
import { merchantMessages } from '#app/features/merchants/merchant-messages.ts';
import {
  countMerchantFigures,
  listMerchantRows,
  type MerchantRow,
} from '#app/features/merchants/merchant-table-queries.server.ts';
import { type MerchantSort, merchantTable } from '#app/features/merchants/merchant-table.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { isFiltered, parseTableQuery } from '#app/platform/table-query.ts';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { type Column, DataTable } from '#app/admin/frame/data-table.tsx';
import { EmptyTable } from '#app/admin/frame/empty-table.tsx';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { readOrSay } from '#app/admin/frame/read-or-say.server.ts';
import { deleteOrRestoreRow } from '#app/admin/frame/row-editor.server.ts';
import { RowMenu, menuItemClass } from '#app/admin/frame/row-menu.tsx';
import { RowName } from '#app/admin/frame/row-name.tsx';
import { StatCards } from '#app/admin/frame/stat-cards.tsx';
import { StatusPill } from '#app/admin/frame/status-pill.tsx';
import { TableFilters } from '#app/admin/frame/table-filters.tsx';
import { merchantEditor } from './merchant-editor.server.ts';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.read');
  const { db } = appServices(context);
  const { search, searchParams } = new URL(request.url);
  const query = parseTableQuery(merchantTable, searchParams);
  return readOrSay(context, 'merchants', async () => {
    const [page, figures] = await Promise.all([
      listMerchantRows(db, query),
      countMerchantFigures(db),
    ]);
    return { query, page, figures, search };
  });
}

/** Deletes a merchant, and takes that back. */
export function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'catalog.write');
  return deleteOrRestoreRow(request, context, merchantEditor);
}

export function meta() {
  return [{ title: 'Merchants' }];
}

const columns: Column<MerchantRow, MerchantSort>[] = [
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
        {row.is_featured ? <StatusPill look="warn">Featured</StatusPill> : null}
        {row.website_url ? <StatusPill look="plain">Has Website</StatusPill> : null}
        {row.hasAffiliateLink ? <StatusPill look="plain">Affiliate link</StatusPill> : null}
      </RowName>
    ),
  },
  {
    label: 'Website',
    cell: (row) =>
      row.website_url ? (
        <a href={row.website_url} target="_blank" rel="noreferrer noopener">
          Visit Site<span className="visually-hidden"> of {row.name}, opens in a new tab</span>
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
  { label: 'Status', cell: () => <StatusPill look="good">Active</StatusPill> },
];

export default function ManageMerchantsPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Merchants" failure={loaderData} />;
  const { query, page, figures, search } = loaderData;
  const newHref = `/admin/merchants/new${search}`;
  return (
    <>
      <Outlet />
      <AdminHeading title="Merchants" action={{ href: newHref, label: 'Add Merchant' }} />
      <StatCards
        stats={[
          { label: 'Total Merchants', value: figures.total, href: '/admin/merchants' },
          { label: 'Featured', value: figures.featured, href: '/admin/merchants?show=featured' },
          {
            label: 'With Website',
            value: figures.withWebsite,
            href: '/admin/merchants?show=with-website',
          },
        ]}
      />
      <TableFilters
        spec={merchantTable}
        query={query}
        searchLabel="Search by name or description"
        filters={[
          {
            name: 'show',
            label: 'Show',
            options: [
              { value: 'featured', label: 'Featured' },
              { value: 'with-website', label: 'With website' },
              { value: 'without-link', label: 'Without affiliate link' },
            ],
          },
        ]}
      />
      <DataTable
        noun={{ one: 'merchant', many: 'merchants' }}
        spec={merchantTable}
        query={query}
        page={page}
        columns={columns}
        idOf={(row) => row.id}
        nameOf={(row) => row.name}
        renderMenu={(row) => <MerchantMenu row={row} search={search} />}
        empty={
          <EmptyTable
            icon="store"
            title="No merchants found"
            isFiltered={isFiltered(query)}
            path={merchantTable.path}
            begin={{ href: newHref, label: 'Add Merchant' }}
            hint="Deals belong to merchants: add the first one, or import a feed."
          />
        }
      />
    </>
  );
}

function MerchantMenu({ row, search }: { row: MerchantRow; search: string }) {
  return (
    <RowMenu label={row.name}>
      <Link
        to={`/admin/merchants/${row.id}/edit${search}`}
        data-key-edit
        preventScrollReset
        className={menuItemClass}
      >
        Edit
      </Link>
      <a href={`/merchants/${row.slug}`} className={menuItemClass}>
        View on the site
      </a>
      <Link to={`/admin/deals?merchant=${row.id}`} className={menuItemClass}>
        Its deals
      </Link>
      <ConfirmAct
        label="Delete"
        className={menuItemClass}
        question={merchantMessages.confirmDelete}
        detail={<p>{row.name}</p>}
        confirmLabel="Delete"
        fields={{ intent: 'delete', id: String(row.id) }}
      />
    </RowMenu>
  );
}
