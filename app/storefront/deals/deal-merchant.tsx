import { Link } from '#app/ui/link.tsx';
import type { PageDeal } from './page-deal.ts';
import { MerchantLogo } from '#app/features/merchants/merchant-logo.tsx';
import { Icon } from '#app/ui/icon.tsx';
import styles from './deal-merchant.module.css';

/**
 * The deal's store. Its link goes through the deal's own redirect, so that clicks are counted and
 * disclosed like all others.
 */
export function DealMerchant({ deal }: { deal: PageDeal }) {
  const { merchant } = deal;
  return (
    <section aria-labelledby="about-merchant" className={styles.merchant}>
      <MerchantLogo merchant={merchant} size="large" />
      <div className={styles.text}>
        <h2 id="about-merchant">About the Merchant</h2>
        <p className="strong">{merchant.name}</p>
        {merchant.description ? <p className="muted readable">{merchant.description}</p> : null}
        <p className={styles.links}>
          {deal.is_expired ? null : (
            <a href={`/out/${deal.id}`} target="_blank" rel="sponsored nofollow noopener">
              Visit Store
              <Icon name="external" size={16} />
              <span className="visually-hidden">
                {' '}
                {merchant.name}
                {deal.outHost === '' ? '' : ` at ${deal.outHost}`} (opens in a new tab)
              </span>
            </a>
          )}
          <Link to={`/merchants/${merchant.slug}`}>All deals from {merchant.name}</Link>
        </p>
        {deal.is_expired ? null : (
          <p className="small">Visit Store opens {deal.outHost || merchant.name}.</p>
        )}
      </div>
    </section>
  );
}
