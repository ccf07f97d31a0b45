import { FollowButton } from '#app/features/follows/follow-button.tsx';
import { MerchantLogo } from '#app/features/merchants/merchant-logo.tsx';
import type { Merchant } from '#app/features/merchants/merchant-queries.server.ts';
import { type StoreCheck, summariseCheck } from '#app/features/prices/discount-check.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney } from '#app/platform/money.ts';
import { Icon } from '#app/ui/icon.tsx';
import styles from './merchant-head.module.css';

type HeadedMerchant = Pick<
  Merchant,
  'id' | 'name' | 'description' | 'logo_url' | 'website_url' | 'free_shipping_over'
>;

/** The store's details, with a direct link to its website, since the link belongs to no deal. */
export function MerchantHead({
  merchant,
  check,
}: {
  merchant: HeadedMerchant;
  /** The discount check, which compares the store's reductions with our log. */
  check: StoreCheck | null;
}) {
  const { currency } = useSite();
  const { id, name, description, website_url, free_shipping_over } = merchant;
  const host =
    website_url && URL.canParse(website_url)
      ? new URL(website_url).host.replace(/^www\./, '')
      : null;
  return (
    <div className={styles.head}>
      <MerchantLogo merchant={merchant} size="large" />
      <div className={styles.text}>
        <div className="row gap-3">
          <h1>{name}</h1>
          <FollowButton target={{ kind: 'merchant', id }} name={name} />
        </div>
        {description ? <p className={styles.description}>{description}</p> : null}
        <ul className={styles.facts}>
          {host ? (
            <li>
              <a href={website_url ?? ''} target="_blank" rel="sponsored nofollow noopener">
                {host}
                <Icon name="external" size={16} />
                <span className="visually-hidden"> (opens in a new tab)</span>
              </a>
            </li>
          ) : null}
          {free_shipping_over === null ? null : (
            <li>
              <Icon name="truck" size={18} />
              {free_shipping_over === 0
                ? 'Free shipping'
                : `Free shipping on orders over ${formatMoney(free_shipping_over, currency, { wholeIfRound: true })}`}
            </li>
          )}
          {check && check.checked > 0 ? (
            <li>
              <a href="#discount-check">{summariseCheck(check)}</a>
            </li>
          ) : null}
        </ul>
      </div>
    </div>
  );
}
