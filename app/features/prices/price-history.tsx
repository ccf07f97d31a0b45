import { Link } from '#app/ui/link.tsx';
import { Region } from '#app/ui/region.tsx';
import type { ShownHistory } from './describe-history.ts';
import { PriceChart } from './price-chart.tsx';
import { type HistoryDays, historyRanges, usualHistoryDays } from './price-history-days.ts';
import styles from './price-history.module.css';

interface HistoryProps {
  history: ShownHistory | null;
  days: HistoryDays;
  /** The page's path, for the links to other ranges. */
  path: string;
  keepsHistory: boolean;
  merchantName: string;
}

/** Renders a price history as a chart, a sentence and a table. */
export function PriceHistory(props: HistoryProps) {
  const { history, days, path, keepsHistory, merchantName } = props;
  return (
    <section aria-labelledby="price-history" className={styles.history}>
      <div className={styles.head}>
        <h2 id="price-history">Price history</h2>
        {history ? <RangeLinks days={days} path={path} /> : null}
      </div>
      {history ? (
        <Region
          name="price-history"
          lost={{
            title: 'Something went wrong',
            text: 'The price history could not be loaded. Please try again.',
          }}
        >
          <KnownHistory history={history} />
        </Region>
      ) : (
        <p className={styles.summary}>
          {keepsHistory
            ? 'No history yet. Price changes will appear here.'
            : `${merchantName} does not allow its prices to be tracked, so there is no history to show.`}
        </p>
      )}
    </section>
  );
}

function RangeLinks({ days, path }: { days: HistoryDays; path: string }) {
  return (
    <nav aria-label="Price history range" className={styles.ranges} data-region="price-ranges">
      {historyRanges.map((range) => (
        <Link
          key={range.value}
          to={
            range.days === usualHistoryDays
              ? path
              : `${path}${path.includes('?') ? '&' : '?'}days=${range.value}`
          }
          aria-current={range.days === days ? 'true' : undefined}
          swap="replace"
        >
          {range.label}
        </Link>
      ))}
    </nav>
  );
}

function KnownHistory({ history }: { history: ShownHistory }) {
  return (
    <>
      <p className={styles.summary}>{history.summary}</p>
      {history.drawings.length > 0 ? <PriceChart history={history} /> : null}
      {history.hasGaps ? (
        <p className="small above-2">
          Dashed: out of stock. A price while out of stock does not count as a low.
        </p>
      ) : null}
      {history.movedNote ? (
        <p className={`small above-2 ${styles.moved}`}>
          <svg viewBox="0 0 24 8" width="24" height="8" aria-hidden="true">
            <path d="M0 4H24" />
          </svg>
          {history.movedNote}
        </p>
      ) : null}
      <HistoryTable rows={history.rows} />
    </>
  );
}

function HistoryTable({ rows }: { rows: ShownHistory['rows'] }) {
  return (
    <details className={`above-2 ${styles.details}`}>
      <summary>Show as table</summary>
      <div className={styles.table}>
        <table>
          <caption className="visually-hidden">Price history, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Since</th>
              <th scope="col" data-number>
                Price
              </th>
              <th scope="col">Source</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <td>
                  <time dateTime={row.at} title={row.title}>
                    {row.since}
                  </time>
                </td>
                <td data-number>{row.price}</td>
                <td>{row.source}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
