import type { ClickedDeal } from '#app/features/clicks/click-figures.server.ts';
import type { Earned } from '#app/features/earnings/earning-figures.server.ts';
import { describeEarned } from '#app/features/earnings/format-earned.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { shortDate } from '#app/platform/time-words.ts';
import { Link } from '#app/ui/link.tsx';
import styles from './clicks-page.module.css';

interface Bar {
  id: number;
  name: string;
  count: number;
  href: string;
  isCurrent?: boolean;
  earned?: readonly Earned[] | undefined;
}

/** The most clicked scopes, each with a bar relative to the first. */
export function PlaceBars({ rows }: { rows: readonly Bar[] }) {
  if (rows.length === 0)
    return <p className={`below-4 ${styles.none}`}>No clicks in this period.</p>;
  const most = rows[0]?.count ?? 1;
  return (
    <ol className={styles.bars}>
      {rows.map(({ id, name, count, href, isCurrent, earned }) => (
        <li key={id}>
          <Link to={href} aria-current={isCurrent ? 'true' : undefined}>
            {name}
          </Link>
          <b>{count.toLocaleString('en-US')}</b>
          {earned ? <span className={styles.earned}>{describeEarned(earned, count)}</span> : null}
          <meter
            className={styles.bar}
            aria-label={`Clicks of ${name}`}
            min={0}
            max={most}
            value={count}
          />
        </li>
      ))}
    </ol>
  );
}

/** Lists deals with their clicks and a date: when they were added, or since when they have had none. */
export function DealBars({
  rows,
  earned,
}: {
  rows: readonly ClickedDeal[];
  earned?: ReadonlyMap<number, readonly Earned[]> | undefined;
}) {
  const { timeZone } = useSite();
  return (
    <ol className={`below-4 ${styles.rows}`}>
      {rows.map(({ id, title, merchant, count, since }) => (
        <li key={id}>
          <Link to={`/admin/deals/${id}/edit`}>{title}</Link>
          <b>{count.toLocaleString('en-US')}</b>
          <span>
            {merchant}, {count > 0 ? 'added' : 'live since'} {shortDate(since, timeZone)}
            {earned?.has(id) ? `. ${describeEarned(earned.get(id) ?? [], count)}` : ''}
          </span>
        </li>
      ))}
    </ol>
  );
}
