import { useSite } from '#app/features/site-settings/site-context.tsx';
import { ReportLink } from '#app/features/reports/deal-reports.tsx';
import { formatMoney } from '#app/platform/money.ts';
import { fullTime, shortDate, timeAgo } from '#app/platform/time-words.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { buttonClass } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Link } from '#app/ui/link.tsx';
import type { OfferSection, ShownOffer } from './describe-product.ts';
import styles from './offers-table.module.css';

/** rows of a table; the others are collapsed */
const mostRows = 20;

interface Props extends OfferSection {
  /** The product's title. */
  product: string;
  now: Date;
}

/** Renders a list of offers as a table, which becomes cards on a phone. */
export function OffersTable({ id, title, hint, offers, ...rest }: Props) {
  const folded = offers.slice(mostRows);
  return (
    <section aria-labelledby={id} className={styles.offers}>
      <h2 id={id}>{title}</h2>
      {hint === undefined ? null : <p className="small">{hint}</p>}
      <Table {...rest} labelledBy={id} offers={offers.slice(0, mostRows)} />
      {folded.length === 0 ? null : (
        <details className={styles.folded}>
          <summary>{`Show ${countNoun(folded.length, 'more offer')}`}</summary>
          <Table {...rest} labelledBy={id} offers={folded} />
        </details>
      )}
    </section>
  );
}

type TableProps = Pick<Props, 'offers' | 'hasTotals' | 'product' | 'now'>;

function Table({ labelledBy, offers, ...rest }: TableProps & { labelledBy: string }) {
  const { hasTotals = false } = rest;
  const hasConditions = offers.some(({ condition }) => condition !== 'New');
  const isEnded = offers.some(({ endedAt }) => endedAt !== null);
  return (
    <table className={styles.table} aria-labelledby={labelledBy}>
      <thead>
        <tr>
          <th scope="col">Store</th>
          {hasConditions ? <th scope="col">Condition</th> : null}
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
          {isEnded ? (
            <th scope="col">Ended</th>
          ) : (
            <>
              <th scope="col">Stock</th>
              <th scope="col">Checked</th>
              <th scope="col" className={styles.out}>
                <span className="visually-hidden">Link to the store</span>
              </th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {offers.map((offer) => (
          <Row key={offer.id} {...rest} offer={offer} hasConditions={hasConditions} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Omit<TableProps, 'offers'> {
  offer: ShownOffer;
  hasConditions: boolean;
}

function Row({ offer, hasTotals, hasConditions, product, now }: RowProps) {
  const { currency, timeZone } = useSite();
  const { price, shipping, checkedAt, endedAt, store } = offer;
  const money = (amount: number) => formatMoney(amount, currency);
  return (
    <tr>
      <th scope="row">
        <Link to={`/deals/${offer.slug}`}>{store}</Link>
        <OfferNote offer={offer} product={product} />
      </th>
      {hasConditions ? <td data-label="Condition">{offer.condition}</td> : null}
      <td data-label="Price" data-number data-loud={hasTotals ? undefined : true}>
        {price === null ? 'See price at store' : money(price)}
      </td>
      {hasTotals && price !== null && shipping !== null ? (
        <>
          <td data-label="Shipping" data-number>
            {shipping === 0 ? 'Free' : money(shipping)}
          </td>
          <td data-label="Total" data-number data-loud>
            <strong>{money(price + shipping)}</strong>
          </td>
        </>
      ) : null}
      {endedAt === null ? (
        <>
          <td data-label="Stock">{offer.stock}</td>
          <td data-label="Checked">
            <time dateTime={checkedAt.toISOString()} title={fullTime(checkedAt, timeZone)}>
              {timeAgo(checkedAt, now)}
            </time>
          </td>
          <td className={styles.out}>
            <OutLink offer={offer} />
          </td>
        </>
      ) : (
        <td data-label="Ended">
          <time dateTime={endedAt.toISOString()} title={fullTime(endedAt, timeZone)}>
            {shortDate(endedAt, timeZone)}
          </time>
        </td>
      )}
    </tr>
  );
}

/** The store's own title, if it differs, and the link to report another product. */
function OfferNote({ offer, product }: { offer: ShownOffer; product: string }) {
  const { slug, title, store, endedAt } = offer;
  if (endedAt !== null) return null;
  return (
    <span className={styles.note} data-no-print>
      {title === product ? null : <span className={styles.title}>{title}</span>}
      <ReportLink
        deal={{ slug, coupon_code: null }}
        about="product"
        subject={`${title} at ${store}`}
        label="Not the same product?"
      />
    </span>
  );
}

/** The button to the store. `store` is named visibly where no table names it. */
export function OutLink({ offer, isNamed = false }: { offer: ShownOffer; isNamed?: boolean }) {
  return (
    <a
      className={buttonClass({ variant: 'primary' })}
      href={`/out/${offer.id}`}
      target="_blank"
      rel="sponsored nofollow noopener"
    >
      {isNamed ? `Get Deal at ${offer.store}` : 'Get Deal'}
      {isNamed ? <Icon name="external" size={18} /> : null}
      <span className="visually-hidden">
        {isNamed ? ' (opens in a new tab)' : ` at ${offer.host} (opens in a new tab)`}
      </span>
    </a>
  );
}
