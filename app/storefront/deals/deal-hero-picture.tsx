import type { PageDeal } from './page-deal.ts';
import { DiscountBadge, type ShownDiscount } from '#app/features/deals/discount-badge.tsx';
import { DealPicture } from '#app/features/deals/deal-picture.tsx';
import styles from './deal-hero-picture.module.css';

/** A deal's picture with its badges. */
export function DealHeroPicture({
  deal,
  discount,
}: {
  deal: PageDeal;
  discount: ShownDiscount | null;
}) {
  return (
    <div className={styles.frame} data-expired={deal.is_expired || undefined}>
      <DealPicture
        src={deal.picture}
        alt={deal.title}
        sizes="(width < 40rem) 100vw, 30rem"
        isEager
        isFirst
      />
      {discount && <DiscountBadge discount={discount} className={styles.badge} />}
      {deal.is_featured ? <span className={styles.featured}>Featured</span> : null}
      {deal.is_expired ? <span className={styles.expired}>EXPIRED</span> : null}
    </div>
  );
}
