import type { PageDeal } from './page-deal.ts';
import { buttonClass } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import styles from './get-deal-button.module.css';

/** The link to the store with its host, or plain text once the deal has expired. */
export function GetDealButton({ deal, isShort = false }: { deal: PageDeal; isShort?: boolean }) {
  const where = deal.outHost || deal.merchant.name;
  if (deal.is_expired) return <p className={styles.inert}>Deal Expired</p>;
  return (
    <>
      <a
        className={buttonClass(
          { variant: 'primary', isWide: !isShort },
          isShort ? undefined : styles.main,
        )}
        href={`/out/${deal.id}`}
        target="_blank"
        rel="sponsored nofollow noopener"
      >
        Get This Deal
        <Icon name="external" size={18} />
        <span className="visually-hidden"> at {where} (opens in a new tab)</span>
      </a>
      {isShort ? null : <p className={styles.host}>Opens {where} in a new tab</p>}
    </>
  );
}
