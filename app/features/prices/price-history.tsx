import { Link } from 'react-router';
import type { PriceSource } from '#database/schema.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney } from '#app/platform/money.ts';
import { fullTime, shortDate } from '#app/platform/time-words.ts';
import { clipSteps, findExtremes, type PriceStep } from './price-chart.ts';
import { PriceChart } from './price-chart.tsx';
import { type HistoryDays, historyRanges, usualHistoryDays } from './price-history-days.ts';
import type { PriceHistoryEntry } from './price-history-queries.server.ts';
import styles from './price-history.module.css';

const day = 86_400_000;
/** A single price of less than this is no line. */
const leastDrawn = 2 * day;

const sourceLabels: Record<PriceSource, string> = {
  admin: 'Entered by our staff',
  import: 'Store’s product list',
  feed: 'Store’s product feed',
  demo: 'Demo data',
};

/** What a price was, as a picture, as a sentence and as a table. */
export function PriceHistory({
  history,
  days,
  now,
  endedAt,
  path,
  keepsHistory,
  merchantName,
}: {
  history: PriceHistoryEntry[];
  days: HistoryDays;
  now: Date;
  /** When the deal ended, where it did: the line ends there too. */
  endedAt: Date | null;
  /** The page's own, for the links to other ranges. */
  path: string;
  keepsHistory: boolean;
  merchantName: string;
}) {
  return (
    <section aria-labelledby="price-history" className={styles.history}>
      <div className={styles.head}>
        <h2 id="price-history">Price history</h2>
        {history.length > 0 ? <RangeLinks days={days} path={path} /> : null}
      </div>
      {history.length > 0 ? (
        <KnownHistory history={history} days={days} now={now} endedAt={endedAt} />
      ) : (
        <p className={styles.summary}>
          {keepsHistory
            ? 'No history yet. We log every change of this price from now on, and draw it here.'
            : `${merchantName} does not allow its prices to be tracked, so there is no history to show.`}
        </p>
      )}
    </section>
  );
}

function RangeLinks({ days, path }: { days: HistoryDays; path: string }) {
  return (
    <nav aria-label="Range of the price history" className={styles.ranges}>
      {historyRanges.map((range) => (
        <Link
          key={range.value}
          to={range.days === usualHistoryDays ? path : `${path}?days=${range.value}`}
          aria-current={range.days === days ? 'true' : undefined}
          replace
          preventScrollReset
        >
          {range.label}
        </Link>
      ))}
    </nav>
  );
}

function KnownHistory({
  history,
  days,
  now,
  endedAt,
}: {
  history: PriceHistoryEntry[];
  days: HistoryDays;
  now: Date;
  endedAt: Date | null;
}) {
  const { currency, timeZone } = useSite();
  const all = history.map(asStep);
  const from = days === null ? new Date(0) : new Date(now.getTime() - days * day);
  const steps = clipSteps(all, from);
  const first = steps[0];
  const extremes = findExtremes(steps);
  if (!first || !extremes) return null;
  const { low, high } = extremes;
  const lowest = formatMoney(low.price, currency);
  const highest = formatMoney(high.price, currency);
  const since = shortDate(first.at, timeZone);
  if (history.length === 1 && now.getTime() - first.at.getTime() < leastDrawn) {
    return (
      <>
        <p className={styles.summary}>
          We have watched this price since {since}: {lowest}, unchanged. A line is drawn once there
          is one.
        </p>
        <HistoryTable history={history} />
      </>
    );
  }
  const isLowNow = endedAt === null && low.price === steps.at(-1)?.price;
  const range = days === null || first.at > from ? `watched since ${since}` : `${days} days`;
  const summary = `Lowest ${lowest} (${isLowNow ? 'today' : shortDate(low.at, timeZone)}) · Highest ${highest} · ${range}`;
  return (
    <>
      <p className={styles.summary}>{summary}</p>
      <PriceChart
        steps={all}
        from={from}
        to={endedAt !== null && endedAt > first.at ? endedAt : now}
        currency={currency}
        title="Price history"
        description={`${summary}. The table below the chart lists every price.`}
        lowLabel={`Low ${lowest}`}
        highLabel={`High ${highest}`}
      />
      {steps.some((step) => !step.isOffer) ? (
        <p className={styles.note}>Dashed: out of stock. Such a price counts as no low.</p>
      ) : null}
      <HistoryTable history={history} />
    </>
  );
}

function HistoryTable({ history }: { history: PriceHistoryEntry[] }) {
  const { currency, timeZone } = useSite();
  return (
    <details className={styles.details}>
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
            {history.toReversed().map((entry) => (
              <tr key={`${entry.at.getTime()} ${entry.sale_price} ${entry.availability}`}>
                <td>
                  <time dateTime={entry.at.toISOString()} title={fullTime(entry.at, timeZone)}>
                    {shortDate(entry.at, timeZone)}
                  </time>
                </td>
                <td data-number>{formatMoney(entry.sale_price, currency)}</td>
                <td>
                  {sourceLabels[entry.source]}
                  {entry.availability === 'out_of_stock' ? ', out of stock' : ''}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function asStep(entry: PriceHistoryEntry): PriceStep {
  return { at: entry.at, price: entry.sale_price, isOffer: entry.availability !== 'out_of_stock' };
}
