import { trashNote } from '#app/admin/frame/deletion-detail.tsx';
import { type ShouldRevalidateFunctionArgs } from 'react-router';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { listCategories } from '#app/features/categories/category-queries.server.ts';
import { dealMessages } from '#app/features/deals/deal-messages.ts';
import { dealsTable, reportsThatMark, usualDealColumns } from '#app/features/deals/deals-table.ts';
import {
  countDealFigures,
  listManagedDeals,
  type ManagedDeal,
} from '#app/features/deals/managed-deal-queries.server.ts';
import { earningsOf } from '#app/features/earnings/earning-figures.server.ts';
import { readSeen } from '#app/features/deals/edit-deals.server.ts';
import { nameMerchant } from '#app/features/merchants/merchant-picker-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { tableHref } from '#app/platform/table-query.ts';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Link } from '#app/ui/link.tsx';
import { SelectField } from '#app/ui/select-field.tsx';
import type { Route } from './+types/admin-deals-page';
import { readViews } from '../frame/act-on-views.server.ts';
import { ViewTools } from '../frame/saved-views.tsx';
import { ListScreen } from '../frame/list-screen.tsx';
import { LoadFailure } from '../frame/load-failure.tsx';
import { optionsOf } from '../frame/options-of.ts';
import { readList } from '../frame/read-list.server.ts';
import type { RowAct } from '../frame/row-acts.tsx';
import { titled } from '../frame/titled.ts';
import { actOnDeals } from './act-on-deals.server.ts';
import styles from './admin-deals-page.module.css';
import { dealColumnLabels, dealColumns } from './deal-table-columns.tsx';
import { heldVerbs } from './held-verbs.ts';
import { listHref } from './list-href.ts';

export function loader({ request, context }: Route.LoaderArgs) {
  const { rights } = requireRight(context, 'catalog.read');
  const { now } = appServices(context);
  return readList(request, context, {
    spec: dealsTable,
    what: 'deals',
    page: async (db, query) => {
      const page = await listManagedDeals(db, query);
      const ids = rights.has('earnings.read') ? page.rows.map(({ id }) => id) : [];
      const earned = await earningsOf(db, 'deal', ids, { days: 30, now: now() });
      return { ...page, rows: page.rows.map((row) => ({ ...row, earned: earned.get(row.id) })) };
    },
    figures: async (db, query) => {
      const { merchant, show } = query.filters;
      const [counts, categories, merchantName, seen, shown] = await Promise.all([
        countDealFigures(db),
        listCategories(db),
        merchant === null ? null : nameMerchant(db, Number(merchant)),
        show === 'held' ? readSeen(db) : null,
        readViews(context, dealsTable, query, usualDealColumns),
      ]);
      const options = categories.map(({ id, name }) => ({ value: String(id), label: name }));
      return { ...counts, categories: options, merchantName, seen, ...shown };
    },
  });
}

/** Keeps the list when a form over it opens or closes, or when the chart's range changes. */
export function shouldRevalidate(asked: ShouldRevalidateFunctionArgs) {
  const { formMethod, currentUrl, nextUrl, defaultShouldRevalidate } = asked;
  const isAskedAgain = formMethod !== undefined || currentUrl.href === nextUrl.href;
  const isSameList = listHref(currentUrl.href) === listHref(nextUrl.href);
  return !isAskedAgain && isSameList ? false : defaultShouldRevalidate;
}

export function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'catalog.read');
  return actOnDeals(request, context);
}

export const meta = titled('Deal Management');

const viewOf = (search: string) => `${dealsTable.path}${search}`;
const columnOptions = dealsTable.columns.map((name) => ({ name, label: dealColumnLabels[name] }));
const bulkVerbs = [
  { value: 'activate', label: 'Activate deals' },
  { value: 'deactivate', label: 'Deactivate deals' },
  { value: 'feature', label: 'Feature deals' },
  { value: 'unfeature', label: 'Unfeature deals' },
  { value: 'category', label: 'Move deals' },
  { value: 'edit', label: 'Change prices…' },
  {
    value: 'delete',
    label: 'Delete deals',
    question: 'Are you sure you want to delete {n}?',
    detail: trashNote,
  },
];
// The bulk verbs in the view of held prices. The remaining verbs are offered in other views.
const heldBulkVerbs = [
  ...heldVerbs,
  ...bulkVerbs.filter(({ value }) => ['deactivate', 'edit', 'delete'].includes(value)),
];
const statuses = optionsOf({ active: 'Active', expired: 'Expired', inactive: 'Inactive' });
const stocks = optionsOf({ in: 'In stock', out: 'Out of stock' });
const sellers = optionsOf({ verified: 'Verified', unverified: 'Unverified' });
const shown = optionsOf({
  featured: 'Featured',
  'no-picture': 'Missing image',
  'broken-link': 'Broken link',
  reported: 'Reported expired',
  misplaced: 'Reported as another product',
  held: 'Held price',
  waiting: 'Waiting for a price',
  unclicked: 'Not clicked in 30 days',
  demo: 'Demo',
});

export default function DealsPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Deal Management" failure={loaderData} />;
  const { query, figures, now } = loaderData;
  const { total, active, featured, expired, categories, merchantName, seen } = figures;
  const here = tableHref(dealsTable, query, { page: 1 });
  const { columns } = figures;
  const anyMerchant = { filters: { ...query.filters, merchant: null }, page: 1 };
  return (
    <ListScreen
      title="Deal Management"
      spec={dealsTable}
      list={loaderData}
      noun={{ one: 'deal', many: 'deals' }}
      nameOf={({ title }) => title}
      changeRight="catalog.write"
      begin={{ to: '/admin/deals/new', label: 'Add Deal', labelWhenEmpty: 'Create First Deal' }}
      exportTo={{ to: '/admin/deals/export', isFile: true }}
      stats={[
        { label: 'Total Deals', value: total, href: viewOf('') },
        { label: 'Active', value: active, href: viewOf('?status=active') },
        { label: 'Featured', value: featured, href: viewOf('?show=featured') },
        { label: 'Expired', value: expired, href: viewOf('?status=expired') },
      ]}
      searchLabel="Search by title or merchant"
      tools={
        <ViewTools
          views={figures.views}
          here={{
            href: here,
            search: tableHref(dealsTable, query, { columns, page: 1 }).replace(/^[^?]*/, ''),
          }}
          columns={{ options: columnOptions, shown: columns }}
        />
      }
      filters={[
        { name: 'status', label: 'Status', options: statuses },
        { name: 'stock', label: 'Stock Status', options: stocks },
        { name: 'seller', label: 'Seller Type', options: sellers },
        { name: 'category', label: 'Category', options: categories },
        {
          name: 'show',
          label: 'Show',
          allLabel: 'All deals',
          options: shownAt(query.filters.show),
        },
      ]}
      note={
        query.filters.merchant === null ? null : (
          <p className={styles.only}>
            Showing deals from {merchantName ?? 'a deleted merchant'}.{' '}
            <Link to={tableHref(dealsTable, query, anyMerchant)}>Show all merchants</Link>
          </p>
        )
      }
      columns={dealColumns(query, now, columns)}
      actsOf={actsOf}
      bulk={{
        verbs: seen === null ? bulkVerbs : heldBulkVerbs,
        extra:
          seen === null ? (
            <SelectField
              label="Category"
              name="category"
              className={styles.target}
              options={[{ value: '', label: 'Move to…' }, ...categories]}
            />
          ) : (
            <HiddenFields fields={{ seen }} />
          ),
      }}
      empty={{
        icon: 'tag',
        title: 'No deals found',
        hint: 'Deals appear here once you create one or import a feed.',
      }}
    />
  );
}

/** Returns the options of "Show". Older URLs select expired deals here, instead of by "Status". */
function shownAt(show: string | null) {
  return show === 'expired' ? [...shown, { value: show, label: 'Expired' }] : shown;
}

/** Returns all actions for one deal of the list. */
function actsOf(deal: ManagedDeal): (RowAct | null)[] {
  const { id, slug, title, is_active, is_featured, broken_url, reported, misplaced } = deal;
  const waits = reported >= reportsThatMark;
  const detail = (
    <p>
      “{title}” is deleted with its price history, favorites and alerts. {trashNote}
    </p>
  );
  const ask = { question: dealMessages.deleteQuestion, detail, confirmLabel: 'Delete deal' };
  return [
    { label: 'Edit', to: `/admin/deals/${id}/edit`, isOver: true, isEdit: true },
    is_active ? { label: 'View on site', to: `/deals/${slug}` } : null,
    broken_url === null ? null : { label: 'Mark link as working', intent: 'trust-link' },
    ...(waits
      ? [
          { label: 'Mark as expired', intent: 'end-reported' },
          { label: 'Dismiss reports', intent: 'dismiss-reports' },
        ]
      : []),
    ...(misplaced > 0
      ? [
          { label: 'Compare with its product', to: `/admin/deals/${id}/edit` } as const,
          { label: 'Keep in its product', intent: 'dismiss-product-reports' },
        ]
      : []),
    waits || broken_url !== null ? { label: 'Check link now', intent: 'check-link' } : null,
    { label: 'Duplicate', intent: 'duplicate' },
    is_active
      ? { label: 'Deactivate', intent: 'deactivate' }
      : { label: 'Activate', intent: 'activate' },
    is_featured
      ? { label: 'Unfeature', intent: 'unfeature' }
      : { label: 'Feature', intent: 'feature' },
    { label: 'Delete', intent: 'delete', ask },
  ];
}
