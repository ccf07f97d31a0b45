import { useLocation } from 'react-router';
import { DealPicture } from '#app/features/deals/deal-picture.tsx';
import { type DealsQuery, dealsTable, type ManagedSort } from '#app/features/deals/deals-table.ts';
import type { ManagedDeal } from '#app/features/deals/managed-deal-queries.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney } from '#app/platform/money.ts';
import { tableHref } from '#app/platform/table-query.ts';
import { Link } from '#app/ui/link.tsx';
import type { Column } from '../frame/data-table.tsx';
import { RelativeTime } from '../frame/relative-time.tsx';
import { StatusPill } from '../frame/status-pill.tsx';
import styles from './admin-deals-page.module.css';

/** The columns of the specification, in its order. */
export function dealColumns(query: DealsQuery, now: Date): Column<ManagedDeal, ManagedSort>[] {
  return [
    { label: 'Deal', sort: 'title', cell: (deal) => <DealCell deal={deal} /> },
    {
      label: 'Merchant',
      sort: 'merchant',
      cell: (deal) => (
        <Link
          className={styles.merchant}
          to={tableHref(dealsTable, query, {
            filters: { ...query.filters, merchant: String(deal.merchant_id) },
            page: 1,
          })}
        >
          {deal.merchant}
        </Link>
      ),
    },
    { label: 'Price', sort: 'price', isNumber: true, cell: (deal) => <PriceCell deal={deal} /> },
    {
      label: 'Status',
      sort: 'status',
      cell: ({ is_active, is_expired }) => {
        const isLive = is_active && !is_expired;
        const word = is_expired ? 'Expired' : is_active ? 'Active' : 'Inactive';
        return <StatusPill look={isLive ? 'good' : 'plain'}>{word}</StatusPill>;
      },
    },
    {
      label: 'Created',
      sort: 'created',
      cell: (deal) => (
        <span className={styles.created}>
          <RelativeTime at={deal.created_at} now={now} />
        </span>
      ),
    },
  ];
}

function DealCell({ deal }: { deal: ManagedDeal }) {
  const { search } = useLocation();
  const { currency } = useSite();
  return (
    <div className={styles.deal}>
      <span className={styles.picture}>
        <DealPicture src={deal.image_url} alt="" sizes="4rem" />
      </span>
      <span className={styles.words}>
        <Link to={`/admin/deals/${deal.id}/edit${search}`} data-key-open className={styles.title}>
          {deal.title}
        </Link>
        <span className={styles.facts}>
          {deal.category}
          {deal.broken_url === null ? null : <BrokenLink deal={deal} href={deal.broken_url} />}
          {deal.is_featured ? <StatusPill look="good">Featured</StatusPill> : null}
          {deal.held_price === null ? null : (
            <StatusPill look="warn">{`Held at ${formatMoney(deal.held_price, currency)}`}</StatusPill>
          )}
        </span>
      </span>
    </div>
  );
}

/** Leads where visitors would land, for a person to see what the shop says there. */
function BrokenLink({ deal, href }: { deal: ManagedDeal; href: string }) {
  return (
    <a className={styles.broken} href={href} target="_blank" rel="noreferrer noopener">
      <StatusPill look="bad">Broken link</StatusPill>
      <span className="visually-hidden"> of {deal.title}, opens in a new tab</span>
    </a>
  );
}

function PriceCell({ deal: { sale_price, original_price } }: { deal: ManagedDeal }) {
  const { currency } = useSite();
  return (
    <span className={styles.prices}>
      <span className={styles.price}>{formatMoney(sale_price, currency)}</span>
      {original_price !== null && original_price > sale_price ? (
        <s className={styles.was}>
          <span className="visually-hidden">was </span>
          {formatMoney(original_price, currency)}
        </s>
      ) : null}
    </span>
  );
}
