import { useSite } from '#app/features/site-settings/site-context.tsx';
import type {
  OfferChart as Drawing,
  OfferLine,
} from '#app/features/products/lay-out-offer-chart.ts';
import { OfferChart } from '#app/features/products/offer-chart.tsx';
import { formatMoney } from '#app/platform/money.ts';
import { fullTime, shortDate } from '#app/platform/time-words.ts';
import styles from './product-page.module.css';

export interface ShownPrices {
  drawings: Drawing[];
  lines: OfferLine[];
  /** Stores whose past prices may not be shown, and those beyond the number of lines. */
  untracked: string[];
  undrawn: string[];
}

/** The prices of 90 days by store, as a chart and as a table. */
export function ProductHistory({ prices, low }: { prices: ShownPrices; low: string | null }) {
  const { drawings, lines, untracked, undrawn } = prices;
  return (
    <section aria-labelledby="price-history" className={styles.history}>
      <h2 id="price-history">Prices in 90 days</h2>
      {low === null ? null : <p className="small">{low}</p>}
      {drawings.length > 0 ? (
        <>
          <OfferChart drawings={drawings} />
          <p className="small above-2">
            Prices without shipping. A line is interrupted while the store is out of stock.
          </p>
        </>
      ) : (
        <p className="small">No history yet. Price changes will appear here.</p>
      )}
      {undrawn.length > 0 ? (
        <p className="small">{`Not drawn, only listed: ${inList(undrawn)}.`}</p>
      ) : null}
      {untracked.length > 0 ? (
        <p className="small">{`We may not show past prices of ${inList(untracked)}.`}</p>
      ) : null}
      {lines.length > 0 ? <PriceTable lines={lines} /> : null}
    </section>
  );
}

const inList = (names: string[]) => new Intl.ListFormat('en-US').format(names);

function PriceTable({ lines }: { lines: OfferLine[] }) {
  const { currency, timeZone } = useSite();
  const rows = lines
    .flatMap(({ store, steps }) => steps.map((step) => ({ store, ...step })))
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
  return (
    <details className="above-2">
      <summary>Show as table</summary>
      <table>
        <caption className="visually-hidden">Prices of every store, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Since</th>
            <th scope="col">Store</th>
            <th scope="col" data-number>
              Price
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ store, at, price, isOffer }) => (
            <tr key={`${store} ${at.getTime()} ${price}`}>
              <td>
                <time dateTime={at.toISOString()} title={fullTime(at, timeZone)}>
                  {shortDate(at, timeZone)}
                </time>
              </td>
              <td>{store}</td>
              <td data-number>
                {formatMoney(price, currency)}
                {isOffer ? null : ', out of stock'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
