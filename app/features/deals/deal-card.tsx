import type { ReactNode } from 'react';
import { Card } from '#app/ui/card.tsx';
import card from '#app/ui/card.module.css';
import { thumbnail } from '#app/features/pictures/picture-files.ts';
import { Icon } from '#app/ui/icon.tsx';
import { buttonClass } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { dealExpiry } from './deal-expiry.ts';
import { dealStatusLabel, sellerLabel } from './deal-labels.ts';
import type { CardDeal } from './card-deal.ts';
import { CouponCode } from './coupon-code.tsx';
import { DealPicture } from './deal-picture.tsx';
import { DiscountBadge, type ShownDiscount } from './discount-badge.tsx';
import styles from './deal-card.module.css';

interface DealCardProps {
  deal: CardDeal;
  /** The server's time of this page, so that server and browser render the same. */
  now: Date;
  timeZone: string;
  variant?: 'default' | 'featured' | 'compact';
  headingLevel?: 2 | 3;
  /** The discount that the page may claim, as a badge. `null` shows none. */
  discount: ShownDiscount | null;
  /** The prices with their evidence, from the prices feature. */
  children: ReactNode;
  /** Favorite and alert buttons for signed-in visitors. */
  actions?: ReactNode;
  isEager?: boolean;
  isFirst?: boolean;
  /**
   * The cache key of the variable parts of `children`. `null` if they are private to one visitor.
   */
  sameAs?: string | null;
}

/**
 * Renders one deal in a list. Reading order: picture, discount, price, evidence, merchant, action.
 */
export function DealCard({
  deal,
  now,
  timeZone,
  variant = 'default',
  headingLevel,
  discount,
  children,
  actions,
  isEager,
  isFirst,
  sameAs = null,
}: DealCardProps) {
  const path = `/deals/${deal.slug}`;
  const expiry = dealExpiry(deal, now, timeZone);
  const look = { deal, expiry, variant, headingLevel, discount, isEager, isFirst };
  return (
    <Card
      sameAs={sameAs && sameAs + JSON.stringify(look)}
      data-key={deal.id}
      className={variant === 'featured' ? `${styles.card} ${styles.featured}` : styles.card}
      data-expired={deal.is_expired || undefined}
      data-wide={variant === 'featured' || undefined}
      own={actions ? <div className={styles.actions}>{actions}</div> : null}
      renderPicture={(own) => (
        <div className={styles.pictureSide}>
          {variant === 'featured' && deal.picture ? (
            <img
              className={styles.backdrop}
              src={thumbnail(deal.picture)}
              alt=""
              loading="lazy"
              decoding="async"
              referrerPolicy="no-referrer"
              data-dim
            />
          ) : null}
          <DealPicture
            src={deal.picture}
            alt=""
            title={deal.title}
            sizes="(width < 40rem) 7rem, 20rem"
            most={640}
            isEager={isEager}
            isFirst={isFirst}
          />
          {discount && <DiscountBadge discount={discount} className={styles.badge} />}
          {deal.is_featured ? <span className={styles.featuredTag}>Featured</span> : null}
          {deal.is_expired ? <span className={styles.expiredTag}>EXPIRED</span> : null}
          {own}
        </div>
      )}
      meta={
        <>
          <span className={styles.merchant}>{deal.merchantName}</span>
          <span className={deal.status === 'new' ? undefined : styles.chip}>
            {dealStatusLabel(deal)}
          </span>
          <span className={deal.seller_type === 'amazon' ? undefined : styles.chip}>
            {sellerLabel(deal)}
          </span>
        </>
      }
      title={deal.title}
      to={path}
      headingLevel={headingLevel}
      foot={<Foot deal={deal} />}
    >
      {variant !== 'compact' && deal.description ? (
        <p className={`${card.text} ${styles.description}`}>{deal.description}</p>
      ) : null}
      {children}
      {deal.stores ? (
        <p className={styles.stores}>
          <Link className={card.lifted} to={`/products/${deal.stores.slug}`}>
            {deal.stores.text}
          </Link>
        </p>
      ) : null}
      {deal.coupon_code ? <CouponCode code={deal.coupon_code} /> : null}
      {expiry ? (
        <p className={styles.expiry} data-soon={expiry.isSoon || undefined}>
          <Icon name="clock" size={16} />
          <span>
            {expiry.text}
            {expiry.date === null ? null : ` · ${expiry.date}`}
          </span>
        </p>
      ) : null}
    </Card>
  );
}

/** Renders the link to the store, with the host. */
function Foot({ deal }: { deal: CardDeal }) {
  return (
    <>
      {deal.is_expired ? (
        <span className={styles.inert}>Deal Expired</span>
      ) : (
        <a
          className={buttonClass({ isWide: true }, `${card.lifted} ${styles.get}`)}
          href={`/out/${deal.id}`}
          target="_blank"
          rel="sponsored nofollow noopener"
        >
          Get Deal
          <Icon name="external" size={18} />
          <span className="visually-hidden">
            {` at ${deal.merchantName}: ${deal.title} (opens in a new tab)`}
          </span>
        </a>
      )}
      <p className={`${card.line} ${styles.line}`}>
        <Link
          to={`/deals/${deal.slug}`}
          className={`${card.more} ${card.lifted} ${styles.view}`}
          aria-label={`View Deal: ${deal.title}`}
        >
          View Deal
        </Link>
        {deal.is_expired || !deal.outHost ? null : (
          <span className={styles.host}>
            <span className={styles.at}>at </span>
            {deal.outHost}
          </span>
        )}
      </p>
    </>
  );
}
