import { Link } from 'react-router';
import { type Column, DataTable } from '#app/admin/frame/data-table.tsx';
import { StatusPill } from '#app/admin/frame/status-pill.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney } from '#app/platform/money.ts';
import type { PriceChange } from '#database/schema/feed-tables.ts';
import { runsSpec } from './runs-table.tsx';
import styles from './imports.module.css';

/** The first prices that a dry run would change. */
export function PriceChanges({ changes }: { changes: PriceChange[] }) {
  const { currency } = useSite();
  if (changes.length === 0) return null;
  return (
    <section className={styles.part} aria-labelledby="prices">
      <h2 id="prices">Prices that would change{changes.length < 50 ? '' : ', the first 50'}</h2>
      <DataTable
        noun={{ one: 'price', many: 'prices' }}
        spec={runsSpec}
        query={{ search: '', sort: 'newest', isDescending: true, filters: {}, page: 1 }}
        page={{ rows: changes, total: changes.length, page: 1, pageCount: 1 }}
        idOf={({ line, slug }) => `${line} ${slug}`}
        nameOf={({ title }) => title}
        empty={null}
        columns={columns((cents) => formatMoney(cents, currency))}
      />
    </section>
  );
}

function columns(money: (cents: number) => string): Column<PriceChange, 'newest'>[] {
  return [
    {
      label: 'Deal',
      cell: ({ title, slug, line }) => (
        <>
          <Link to={`/deals/${slug}`}>{title}</Link>
          <span className={styles.sub}>line {line}</span>
        </>
      ),
    },
    {
      label: 'Price',
      isNumber: true,
      cell: ({ before, after }) => (
        <span className={styles.price}>
          <del>{money(before)}</del> {money(after)}
        </span>
      ),
    },
    {
      label: 'Change',
      isNumber: true,
      cell: ({ before, after, is_held }) => (
        <>
          {after > before ? '+' : '−'}
          {Math.abs(Math.round((100 * (after - before)) / before))} %{' '}
          {is_held ? <StatusPill look="warn">Held</StatusPill> : null}
        </>
      ),
    },
  ];
}
