import { Link, Outlet, type ShouldRevalidateFunctionArgs } from 'react-router';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { listCategories } from '#app/features/categories/category-queries.server.ts';
import {
  countDealFigures,
  listManagedDeals,
} from '#app/features/deals/managed-deal-queries.server.ts';
import { type DealsQuery, dealsTable } from '#app/features/deals/deals-table.ts';
import { nameMerchant } from '#app/features/merchants/merchant-picker-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { isFiltered, parseTableQuery, tableHref } from '#app/platform/table-query.ts';
import { buttonClass } from '#app/ui/button.tsx';
import { SelectField } from '#app/ui/select-field.tsx';
import type { Route } from './+types/admin-deals-page';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { DataTable } from '../frame/data-table.tsx';
import { EmptyTable } from '../frame/empty-table.tsx';
import { LoadFailure } from '../frame/load-failure.tsx';
import { readOrSay } from '../frame/read-or-say.server.ts';
import { StatCards } from '../frame/stat-cards.tsx';
import { type TableFilter, TableFilters } from '../frame/table-filters.tsx';
import { actOnDeals } from './act-on-deals.server.ts';
import { dealColumns } from './deal-table-columns.tsx';
import { listHref } from './edit-href.ts';
import { dealMenu } from './deal-row-menu.tsx';
import styles from './admin-deals-page.module.css';

export function loader({ request, context }: Route.LoaderArgs) {
  requireRight(context, 'catalog.read');
  const { db, now } = appServices(context);
  const query = parseTableQuery(dealsTable, new URL(request.url).searchParams);
  const { merchant } = query.filters;
  return readOrSay(context, 'deals', async () => {
    const [page, figures, categories, merchantName] = await Promise.all([
      listManagedDeals(db, query),
      countDealFigures(db),
      listCategories(db),
      merchant === null ? null : nameMerchant(db, Number(merchant)),
    ]);
    return {
      query,
      page,
      figures,
      categories: categories.map(({ id, name }) => ({ value: String(id), label: name })),
      merchantName,
      now: now(),
    };
  });
}

/** A form that opens or closes over the list, or shows another range of prices, leaves the list as it is. */
export function shouldRevalidate({
  formMethod,
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const isAskedAgain = formMethod !== undefined || currentUrl.href === nextUrl.href;
  if (isAskedAgain || listHref(currentUrl.href) !== listHref(nextUrl.href)) {
    return defaultShouldRevalidate;
  }
  return false;
}

export function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'catalog.write');
  return actOnDeals(request, context);
}

export function meta() {
  return [{ title: 'Deal Management' }];
}

const noun = { one: 'deal', many: 'deals' };
const viewOf = (search: string) => `${dealsTable.path}${search}`;
const views = [
  { label: 'All', href: viewOf('') },
  { label: 'Active', href: viewOf('?status=active') },
  { label: 'Expired', href: viewOf('?show=expired') },
  { label: 'Missing image', href: viewOf('?show=no-picture') },
  { label: 'Broken link', href: viewOf('?show=broken-link') },
  { label: 'Held price', href: viewOf('?show=held') },
];
const bulkVerbs = [
  { value: 'activate', label: 'Activate deals' },
  { value: 'deactivate', label: 'Deactivate deals' },
  { value: 'feature', label: 'Feature deals' },
  { value: 'unfeature', label: 'Unfeature deals' },
  { value: 'category', label: 'Move deals' },
  {
    value: 'delete',
    label: 'Delete deals',
    question: 'Are you sure you want to delete {n}?',
  },
];

function dealFilters(
  categories: TableFilter['options'],
): (TableFilter & { name: keyof DealsQuery['filters'] })[] {
  return [
    {
      name: 'status',
      label: 'Status',
      options: [
        { value: 'active', label: 'Active' },
        { value: 'inactive', label: 'Inactive' },
      ],
    },
    {
      name: 'stock',
      label: 'Stock Status',
      options: [
        { value: 'in', label: 'In stock' },
        { value: 'out', label: 'Out of stock' },
      ],
    },
    {
      name: 'seller',
      label: 'Seller Type',
      options: [
        { value: 'verified', label: 'Verified' },
        { value: 'unverified', label: 'Unverified' },
      ],
    },
    { name: 'category', label: 'Category', options: categories },
    {
      name: 'show',
      label: 'Show',
      allLabel: 'All deals',
      options: [
        { value: 'featured', label: 'Featured' },
        { value: 'expired', label: 'Expired' },
        { value: 'no-picture', label: 'Missing image' },
        { value: 'broken-link', label: 'Broken link' },
        { value: 'held', label: 'Held price' },
        { value: 'demo', label: 'Demo' },
      ],
    },
  ];
}

export default function DealsPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Deal Management" failure={loaderData} />;
  const { query, page, figures, categories, merchantName, now } = loaderData;
  const here = tableHref(dealsTable, query);
  const search = here.slice(dealsTable.path.length);
  const newHref = `/admin/deals/new${search}`;
  return (
    <>
      <Outlet />
      <AdminHeading
        title="Deal Management"
        action={{ href: newHref, label: 'Add Deal' }}
        more={
          <a
            href={`/admin/deals/export${tableHref(dealsTable, query, { page: 1 }).slice(dealsTable.path.length)}`}
            className={buttonClass()}
          >
            Export CSV
          </a>
        }
      />
      <StatCards
        stats={[
          { label: 'Total Deals', value: figures.total, href: viewOf('') },
          { label: 'Active', value: figures.active, href: viewOf('?status=active') },
          { label: 'Featured', value: figures.featured, href: viewOf('?show=featured') },
          { label: 'Expired', value: figures.expired, href: viewOf('?show=expired') },
        ]}
      />
      <TableFilters
        spec={dealsTable}
        query={query}
        searchLabel="Search by title or merchant"
        views={views}
        filters={dealFilters(categories)}
      />
      {query.filters.merchant === null ? null : (
        <p className={styles.only}>
          Only deals of {merchantName ?? 'a merchant that is gone'}.{' '}
          <Link
            to={tableHref(dealsTable, query, {
              filters: { ...query.filters, merchant: null },
              page: 1,
            })}
          >
            Show all merchants
          </Link>
        </p>
      )}
      <DataTable
        noun={noun}
        spec={dealsTable}
        query={query}
        page={page}
        columns={dealColumns(query, now, search)}
        idOf={(deal) => deal.id}
        nameOf={(deal) => deal.title}
        renderMenu={dealMenu(search)}
        bulk={{
          verbs: bulkVerbs,
          extra: (
            <SelectField
              label="Category"
              name="category"
              className={styles.target}
              options={[{ value: '', label: 'Move to…' }, ...categories]}
            />
          ),
        }}
        empty={
          <EmptyTable
            icon="tag"
            title="No deals found"
            isFiltered={isFiltered(query)}
            path={dealsTable.path}
            begin={{ href: '/admin/deals/new', label: 'Create First Deal' }}
            hint="Deals appear here once you create one or import a feed."
          />
        }
      />
    </>
  );
}
