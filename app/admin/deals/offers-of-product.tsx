import { RelativeTime } from '#app/admin/frame/relative-time.tsx';
import type { OfferOfProduct } from '#app/features/products/product-screen-queries.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import { PostButton } from '#app/ui/act-form.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { type PlainColumn, PlainTable } from '../frame/plain-table.tsx';
import styles from './admin-product-page.module.css';

/** The deals of a product, with how each was linked. */
export function OffersOfProduct({
  product,
  offers,
  now,
}: {
  product: number;
  offers: OfferOfProduct[];
  now: Date;
}) {
  return (
    <section className={styles.part} aria-labelledby="offers">
      <h2 id="offers">Offers</h2>
      <PlainTable
        noun={{ one: 'offer', many: 'offers' }}
        page={offers}
        columns={columns(product, now)}
        idOf={({ id }) => id}
        nameOf={({ title }) => title}
        empty={<p>None. The product has no page until a deal is linked.</p>}
      />
    </section>
  );
}

function columns(product: number, now: Date): PlainColumn<OfferOfProduct>[] {
  return [
    {
      label: 'Deal',
      cell: ({ id, title, merchant, gtin, isLive }) => (
        <>
          <Link to={`/admin/deals/${id}/edit`}>{title}</Link>
          <span className={styles.sub}>
            {merchant}, {gtin === null ? 'no GTIN' : `GTIN ${gtin}`}
            {isLive ? '' : ', not live'}
          </span>
        </>
      ),
    },
    {
      label: 'Price',
      cell: ({ sale_price, currency }) => formatMoney(sale_price, currency),
    },
    {
      label: 'Linked by',
      cell: ({ isConfirmed, by, at }) => (
        <span>
          {isConfirmed ? (by ?? 'Staff') : 'GTIN'}
          {at ? (
            <span className={styles.sub}>
              <RelativeTime at={at} now={now} />
            </span>
          ) : null}
        </span>
      ),
    },
    {
      label: 'Decision',
      cell: ({ id, title }) => (
        <div className="bar gap-2">
          <PostButton fields={{ intent: 'split', deal: id }}>
            Not the same<span className="visually-hidden">: {title}</span>
          </PostButton>
          <ButtonLink to={`/admin/deals/products/${product}?move=${id}#search`}>
            Move<span className="visually-hidden">: {title}</span>
          </ButtonLink>
        </div>
      ),
    },
  ];
}
