import { useSite } from '#app/features/site-settings/site-context.tsx';
import { OfferChart } from '#app/features/products/offer-chart.tsx';
import { countNoun } from '#app/platform/count-noun.ts';
import { formatMoney } from '#app/platform/money.ts';
import { fullTime, shortDate } from '#app/platform/time-words.ts';
import type { PriceRow, ShownPrices } from './show-prices.ts';
import styles from './product-history.module.css';

const items = { new: 'new items', refurbished: 'refurbished items', used: 'used items' };

/** The prices of the last 90 days by store, as a chart and as a table. */
export function ProductHistory({ prices }: { prices: ShownPrices }) {
  const { condition, drawings, rows, olderRows, hasLowest, untracked, undrawn } = prices;
  return (
    <section aria-labelledby="price-history" className={styles.history}>
      <h2 id="price-history">Prices in 90 days</h2>
      {drawings.length > 0 ? (
        <>
          <OfferChart drawings={drawings} />
          <p className="small above-2">
            {`Prices of ${items[condition]} without shipping. A line is interrupted while the store is out of stock.`}
            {hasLowest
              ? ' “Lowest of all” is the lowest price of the stores listed here that had it in stock.'
              : null}
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
      {rows.length > 0 ? (
        <PriceTable rows={rows} olderRows={olderRows} hasLowest={hasLowest} />
      ) : null}
    </section>
  );
}

const inList = (names: string[]) => new Intl.ListFormat('en-US').format(names);

function PriceTable({
  rows,
  olderRows,
  hasLowest,
}: Pick<ShownPrices, 'rows' | 'olderRows' | 'hasLowest'>) {
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
            {hasLowest ? (
              <th scope="col" data-number>
                Lowest of all
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={`${row.store} ${row.at.getTime()} ${row.price}`}
              row={row}
              hasLowest={hasLowest}
            />
          ))}
        </tbody>
      </table>
      {olderRows > 0 ? (
        <p className="small">{`${countNoun(olderRows, 'older price')} not listed.`}</p>
      ) : null}
    </details>
  );
}

function Row({ row, hasLowest }: { row: PriceRow; hasLowest: boolean }) {
  const { currency, timeZone } = useSite();
  const { store, at, price, isOffer, lowest } = row;
  return (
    <tr>
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
      {hasLowest ? (
        <td data-number>{lowest === null ? 'None' : formatMoney(lowest, currency)}</td>
      ) : null}
    </tr>
  );
}
