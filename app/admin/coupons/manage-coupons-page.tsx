import { DeletionDetail } from '#app/admin/frame/deletion-detail.tsx';
import type { Column } from '#app/admin/frame/data-table.tsx';
import { ListScreen } from '#app/admin/frame/list-screen.tsx';
import { useMay } from '#app/admin/frame/may-change.ts';
import { LoadFailure } from '#app/admin/frame/load-failure.tsx';
import { optionsOf } from '#app/admin/frame/options-of.ts';
import { readList } from '#app/admin/frame/read-list.server.ts';
import type { RowAct } from '#app/admin/frame/row-acts.tsx';
import { deleteOrRestoreRow } from '#app/admin/frame/row-editor.server.ts';
import { RowName } from '#app/admin/frame/row-name.tsx';
import { StatusPill } from '#app/admin/frame/status-pill.tsx';
import { titled } from '#app/admin/frame/titled.ts';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { couponMessages } from '#app/features/coupons/coupon-messages.ts';
import {
  countCouponFigures,
  type CouponRow,
  listCouponRows,
} from '#app/features/coupons/coupon-table-queries.server.ts';
import { type CouponSort, couponTable } from '#app/features/coupons/coupon-table.ts';
import { couponsHref } from '#app/features/coupons/describe-coupon.ts';
import { type Earned, earningsOf } from '#app/features/earnings/earning-figures.server.ts';
import { ClicksCell } from '#app/features/earnings/clicks-cell.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import { shortTime } from '#app/platform/time-words.ts';
import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/manage-coupons-page';
import { couponEditor } from './coupon-editor.server.ts';

export function loader({ request, context }: Route.LoaderArgs) {
  const { rights } = requireRight(context, 'catalog.read');
  const { now } = appServices(context);
  return readList(request, context, {
    spec: couponTable,
    what: 'coupons',
    page: async (db, query) => {
      const page = await listCouponRows(db, query);
      const ids = rights.has('earnings.read') ? page.rows.map(({ id }) => id) : [];
      const earned = await earningsOf(db, 'coupon', ids, { days: 30, now: now() });
      return { ...page, rows: page.rows.map((row) => ({ ...row, earned: earned.get(row.id) })) };
    },
    figures: countCouponFigures,
  });
}

/** Deletes a coupon, or restores the deleted one. */
export function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'catalog.write');
  return deleteOrRestoreRow(request, context, couponEditor);
}

export const meta = titled('Coupons');

const columns: Column<CouponRow & { earned: Earned[] | undefined }, CouponSort>[] = [
  {
    label: 'Code',
    sort: 'code',
    cell: (row) => (
      <RowName href={`/admin/coupons/${row.id}/edit`} name={row.code} note={row.title}>
        {row.isLive ? null : <Status row={row} />}
      </RowName>
    ),
  },
  {
    label: 'Merchant',
    sort: 'store',
    cell: ({ merchant, merchant_id: id }) => (
      <Link to={`/admin/coupons?merchant=${id}`}>{merchant}</Link>
    ),
  },
  { label: 'Ends', sort: 'ends', cell: (row) => <Ends row={row} /> },
  { label: 'Worked', isNumber: true, cell: ({ works, fails }) => `${works} of ${works + fails}` },
  {
    label: 'Clicks, 30 days',
    sort: 'clicks',
    isNumber: true,
    cell: ({ clicks, earned }) => <ClicksCell clicks={clicks} earned={earned} />,
  },
  { label: 'List', cell: ({ list }) => list || 'Added manually' },
];

function Status({ row: { isEnded } }: { row: CouponRow }) {
  return isEnded ? (
    <StatusPill variant="plain">Ended</StatusPill>
  ) : (
    <StatusPill variant="warn">Upcoming</StatusPill>
  );
}

function Ends({ row: { ends_at } }: { row: CouponRow }) {
  const { timeZone } = useSite();
  return ends_at ? shortTime(ends_at, timeZone) : 'No end';
}

const shown = optionsOf({
  live: 'Live',
  upcoming: 'Upcoming',
  ended: 'Ended',
  own: 'Added manually',
  imported: 'Imported',
});

export default function ManageCouponsPage({ loaderData }: Route.ComponentProps) {
  const mayChange = useMay('catalog.write');
  if (!loaderData.ok) return <LoadFailure title="Coupons" failure={loaderData} />;
  const { total, live, ended } = loaderData.figures;
  return (
    <ListScreen
      title="Coupons"
      about={mayChange ? <Link to="/admin/coupons/upload">Upload a list of coupons</Link> : null}
      spec={couponTable}
      list={loaderData}
      noun={{ one: 'coupon', many: 'coupons' }}
      nameOf={({ code, merchant }) => `${code} at ${merchant}`}
      changeRight="catalog.write"
      begin={{ to: '/admin/coupons/new', label: 'Add Coupon' }}
      stats={[
        { label: 'Total Coupons', value: total, href: couponTable.path },
        { label: 'Live', value: live, href: `${couponTable.path}?show=live` },
        { label: 'Ended', value: ended, href: `${couponTable.path}?show=ended` },
      ]}
      searchLabel="Search by code, title or merchant"
      filters={[{ name: 'show', label: 'Show', options: shown }]}
      columns={columns}
      actsOf={actsOf}
      empty={{
        icon: 'tag',
        title: 'No coupons found',
        hint: 'A coupon is a code of a store, without a price. Add one, or upload a list.',
      }}
    />
  );
}

function actsOf({ id, code, merchant, merchant_slug: slug }: CouponRow): RowAct[] {
  const detail = <DeletionDetail name={`${code} at ${merchant}`} />;
  return [
    { label: 'Edit', to: `/admin/coupons/${id}/edit`, isOver: true, isEdit: true },
    { label: 'View on the site', to: couponsHref(slug) },
    { label: 'Delete', intent: 'delete', ask: { question: couponMessages.confirmDelete, detail } },
  ];
}
