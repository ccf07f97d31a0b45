import type { ReactNode } from 'react';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney } from '#app/platform/money.ts';
import type { Headline, ShownOffer } from './describe-product.ts';
import { OutLink } from './offers-table.tsx';
import styles from './best-offer.module.css';

interface Props {
  headline: Headline;
  /** The offer in the headline, or `null` if there is no price to compare. */
  best: ShownOffer | null;
  /** The sentence about the lowest price ever seen. */
  low: string | null;
  children?: ReactNode;
}

/** The cheapest offer in one sentence, with the link to its store and the evidence. */
export function BestOffer({ headline: { start, price, rest }, best, low, children }: Props) {
  const { currency } = useSite();
  return (
    <section aria-label="Price" className={styles.box}>
      {price === null ? (
        <p className={styles.none}>{start}</p>
      ) : (
        <p className={styles.headline}>
          {start} <strong className={styles.price}>{price}</strong> {rest}
        </p>
      )}
      {children}
      {best === null || best.price === null ? null : (
        <>
          <OutLink offer={best} isNamed />
          <p className="small figures">
            {describeTotal(best.price, best.shipping, (amount) => formatMoney(amount, currency))}
          </p>
        </>
      )}
      {low === null ? null : <p className={styles.low}>{low}</p>}
    </section>
  );
}

function describeTotal(
  price: number,
  shipping: number | null,
  money: (amount: number) => string,
): string {
  if (shipping === null) return `${money(price)}; the store does not state its shipping.`;
  return shipping === 0
    ? `${money(price)} with free shipping.`
    : `${money(price)} plus ${money(shipping)} shipping.`;
}
