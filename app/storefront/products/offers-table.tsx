import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney } from '#app/platform/money.ts';
import { fullTime, timeAgo } from '#app/platform/time-words.ts';
import { buttonClass } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import type { ShownOffer } from './describe-product.ts';
import styles from './offers-table.module.css';

interface Props {
  /** The id of the heading. */
  id: string;
  title: string;
  hint?: string;
  offers: readonly ShownOffer[];
  /** Whether shipping and total are known. */
  hasTotals?: boolean;
  now: Date;
}

/** Renders a list of offers as a table, which becomes cards on a phone. */
export function OffersTable({ id, title, hint, offers, hasTotals = false, now }: Props) {
  if (offers.length === 0) return null;
  return (
    <section aria-labelledby={id} className={styles.offers}>
      <h2 id={id}>{title}</h2>
      {hint === undefined ? null : <p className="small">{hint}</p>}
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Store</th>
            <th scope="col">Condition</th>
            <th scope="col" data-number>
              Price
            </th>
            {hasTotals ? (
              <>
                <th scope="col" data-number>
                  Shipping
                </th>
                <th scope="col" data-number>
                  Total
                </th>
              </>
            ) : null}
            <th scope="col">Stock</th>
            <th scope="col">Checked</th>
            <th scope="col">
              <span className="visually-hidden">Link to the store</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {offers.map((offer) => (
            <Row key={offer.id} offer={offer} hasTotals={hasTotals} now={now} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ offer, hasTotals, now }: { offer: ShownOffer; hasTotals: boolean; now: Date }) {
  const { currency, timeZone } = useSite();
  const { price, shipping, checkedAt } = offer;
  const money = (amount: number) => formatMoney(amount, currency);
  return (
    <tr>
      <th scope="row">
        <Link to={`/deals/${offer.slug}`}>{offer.store}</Link>
      </th>
      <td data-label="Condition">{offer.condition}</td>
      <td data-label="Price" data-number>
        {price === null ? 'See price at store' : money(price)}
      </td>
      {hasTotals && price !== null && shipping !== null ? (
        <>
          <td data-label="Shipping" data-number>
            {shipping === 0 ? 'Free' : money(shipping)}
          </td>
          <td data-label="Total" data-number>
            <strong>{money(price + shipping)}</strong>
          </td>
        </>
      ) : null}
      <td data-label="Stock">{offer.stock}</td>
      <td data-label="Checked">
        <time dateTime={checkedAt.toISOString()} title={fullTime(checkedAt, timeZone)}>
          {timeAgo(checkedAt, now)}
        </time>
      </td>
      <td className={styles.out}>
        <a
          className={buttonClass({ variant: 'primary' })}
          href={`/out/${offer.id}`}
          target="_blank"
          rel="sponsored nofollow noopener"
        >
          Get Deal
          <span className="visually-hidden"> at {offer.host} (opens in a new tab)</span>
        </a>
      </td>
    </tr>
  );
}
