import type { ShownPrice } from '#app/features/prices/judge-price.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney } from '#app/platform/money.ts';
import { GetDealButton } from './get-deal-button.tsx';
import type { PageDeal } from './page-deal.ts';
import styles from './deal-bottom-bar.module.css';

/**
 * The bar with price and button at the bottom of a phone's screen, while the page's own button is
 * out of view.
 */
export function DealBottomBar({ deal, price }: { deal: PageDeal; price: ShownPrice | null }) {
  const { currency } = useSite();
  if (deal.is_expired) return null;
  return (
    <aside className={styles.bar} aria-label="Price and link" hidden data-stands-in>
      {price === null ? (
        <p className={styles.hidden}>See price at store</p>
      ) : (
        <p className={styles.price}>{formatMoney(price.now, currency)}</p>
      )}
      <GetDealButton deal={deal} isShort />
    </aside>
  );
}
