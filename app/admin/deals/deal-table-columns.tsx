import { useLocation } from 'react-router';
import { DealPicture } from '#app/features/deals/deal-picture.tsx';
import {
  type DealsQuery,
  dealsTable,
  type ManagedSort,
  reportsThatMark,
} from '#app/features/deals/deals-table.ts';
import type { ManagedDeal } from '#app/features/deals/managed-deal-queries.server.ts';
import type { Earned } from '#app/features/earnings/earning-figures.server.ts';
import { ClicksCell } from '#app/features/earnings/clicks-cell.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney } from '#app/platform/money.ts';
import { fullTime, shortDate } from '#app/platform/time-words.ts';
import { tableHref } from '#app/platform/table-query.ts';
import { Link } from '#app/ui/link.tsx';
import type { Column } from '../frame/data-table.tsx';
import { RelativeTime } from '../frame/relative-time.tsx';
import { useMayChange } from '../frame/may-change.ts';
import { StatusPill } from '../frame/status-pill.tsx';
import styles from './admin-deals-page.module.css';
import { QuickEdit } from './quick-edit.tsx';

type DealColumn = Column<ManagedDeal & { earned: Earned[] | undefined }, ManagedSort>;
type ColumnName = (typeof dealsTable.columns)[number];

/** Labels of the optional columns. */
export const dealColumnLabels: Record<ColumnName, string> = {
  merchant: 'Merchant',
  category: 'Category',
  price: 'Price',
  discount: 'Discount',
  status: 'Status',
  stock: 'Stock Status',
  created: 'Created',
  updated: 'Updated',
  ends: 'Ends',
  clicks: 'Clicks, 30 days',
};

const stockWords = { in_stock: 'In stock', out_of_stock: 'Out of stock', unknown: 'Unknown' };

/** Returns the chosen columns. The first one, with the deal's name, is always present. */
export function dealColumns(query: DealsQuery, now: Date, chosen: readonly string[]): DealColumn[] {
  const cells: Record<ColumnName, Omit<DealColumn, 'label'>> = {
    merchant: { sort: 'merchant', cell: (deal) => <MerchantCell deal={deal} query={query} /> },
    category: { cell: ({ category }) => category },
    price: { sort: 'price', isNumber: true, cell: (deal) => <PriceCell deal={deal} /> },
    discount: {
      isNumber: true,
      cell: ({ discount_percent: percent }) => (percent > 0 ? `${percent}%` : '–'),
    },
    status: { sort: 'status', cell: (deal) => <StateCell deal={deal} /> },
    stock: { cell: ({ availability }) => stockWords[availability] },
    created: { sort: 'created', cell: ({ created_at }) => <TimeCell at={created_at} now={now} /> },
    updated: { cell: ({ updated_at }) => <TimeCell at={updated_at} now={now} /> },
    ends: {
      cell: (deal) => (
        <QuickEdit deal={deal} field="end">
          {deal.expires_at ? <DateCell at={deal.expires_at} /> : 'Open'}
        </QuickEdit>
      ),
    },
    clicks: {
      sort: 'clicks',
      isNumber: true,
      cell: ({ clicks, earned }) => <ClicksCell clicks={clicks} earned={earned} />,
    },
  };
  const shown = dealsTable.columns.filter((name) => chosen.includes(name));
  return [
    { label: 'Deal', sort: 'title', cell: (deal) => <DealCell deal={deal} /> },
    ...shown.map((name) => ({ label: dealColumnLabels[name], ...cells[name] })),
  ];
}

function MerchantCell({ deal, query }: { deal: ManagedDeal; query: DealsQuery }) {
  const filters = { ...query.filters, merchant: String(deal.merchant_id) };
  return (
    <Link className={styles.merchant} to={tableHref(dealsTable, query, { filters, page: 1 })}>
      {deal.merchant}
    </Link>
  );
}

/** The deal's status and its expiry. */
function StateCell({ deal: { is_active, is_expired, expires_at } }: { deal: ManagedDeal }) {
  const isLive = is_active && !is_expired;
  const word = is_expired ? 'Expired' : is_active ? 'Active' : 'Inactive';
  return (
    <span className={styles.state}>
      <StatusPill variant={isLive ? 'good' : 'plain'}>{word}</StatusPill>
      {expires_at && (is_active || is_expired) ? (
        <span className="small nowrap">
          {is_expired ? 'since' : 'until'} <DateCell at={expires_at} />
        </span>
      ) : null}
    </span>
  );
}

function DateCell({ at }: { at: Date }) {
  const { timeZone } = useSite();
  return (
    <time dateTime={at.toISOString()} title={fullTime(at, timeZone)}>
      {shortDate(at, timeZone)}
    </time>
  );
}

function TimeCell(time: { at: Date; now: Date }) {
  return (
    <span className="nowrap">
      <RelativeTime {...time} />
    </span>
  );
}

function DealCell({ deal }: { deal: ManagedDeal }) {
  const { pathname, search } = useLocation();
  const mayChange = useMayChange();
  const { currency } = useSite();
  const form = `/admin/deals/${deal.id}/edit`;
  return (
    <div className={styles.deal}>
      <span className={styles.picture}>
        <DealPicture src={deal.picture} alt="" title={deal.title} sizes="4rem" most={320} />
      </span>
      <span className={styles.words}>
        {mayChange ? (
          <Link
            to={form.concat(search)}
            aria-current={pathname === form || undefined}
            data-key-open
            className={styles.title}
          >
            {deal.title}
          </Link>
        ) : (
          <span className={styles.title}>{deal.title}</span>
        )}
        <span className={styles.facts}>
          {deal.category}
          {deal.broken_url === null ? null : <BrokenLink deal={deal} href={deal.broken_url} />}
          {deal.reported < reportsThatMark ? null : (
            <StatusPill variant="warn">{`Reported expired by ${deal.reported}`}</StatusPill>
          )}
          {deal.misplaced === 0 ? null : (
            <StatusPill variant="warn">{`Reported as another product by ${deal.misplaced}`}</StatusPill>
          )}
          {deal.is_featured ? <StatusPill variant="good">Featured</StatusPill> : null}
          {deal.waits_for_price ? (
            <StatusPill variant="warn">{`Waiting for a price in ${currency}`}</StatusPill>
          ) : null}
          {deal.held_price === null ? null : (
            <StatusPill variant="warn">{`Held at ${formatMoney(deal.held_price, currency)}`}</StatusPill>
          )}
        </span>
      </span>
    </div>
  );
}

/** Links to the page where visitors would land, so that a person can check it. */
function BrokenLink({ deal, href }: { deal: ManagedDeal; href: string }) {
  return (
    <a className={styles.broken} href={href} target="_blank" rel="noreferrer noopener">
      <StatusPill variant="bad">Broken link</StatusPill>
      <span className="visually-hidden"> of {deal.title}, opens in a new tab</span>
    </a>
  );
}

function PriceCell({ deal }: { deal: ManagedDeal }) {
  const { sale_price, original_price, currency } = deal;
  return (
    <QuickEdit deal={deal} field="price">
      <span className="nowrap">
        <span className="strong">{formatMoney(sale_price, currency)}</span>
        {original_price !== null && original_price > sale_price ? (
          <s className={styles.was}>
            <span className="visually-hidden">was </span>
            {formatMoney(original_price, currency)}
          </s>
        ) : null}
      </span>
    </QuickEdit>
  );
}
