import { type DealExpiry, dealExpiry } from '#app/features/deals/deal-expiry.ts';
import { FollowButton } from '#app/features/follows/follow-button.tsx';
import { Link } from '#app/ui/link.tsx';
import type { PageDeal } from './page-deal.ts';
import { CouponCode } from '#app/features/deals/coupon-code.tsx';
import { dealStatusLabel } from '#app/features/deals/deal-labels.ts';
import { parseContents, showAmount } from '#app/features/deals/net-contents.ts';
import type { UnitPrice } from '#app/features/prices/unit-price.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import styles from './deal-facts.module.css';

/** A deal's coupon code, which visitors copy before they go to the store. */
export function DealCoupon({ code }: { code: string | null }) {
  if (code === null || code === '') return null;
  return (
    <dl className={styles.coupon}>
      <dt>Coupon code</dt>
      <dd>
        <CouponCode code={code} isLabelled />
        <small>Copy this code at checkout</small>
      </dd>
    </dl>
  );
}

/** Expiry, condition, seller and category of a deal, as a list. */
export function DealFacts({
  deal,
  unit,
  now,
}: {
  deal: PageDeal;
  unit: UnitPrice | null;
  now: Date;
}) {
  const { timeZone } = useSite();
  const expiry = dealExpiry(deal, now, timeZone);
  const contents = parseContents(deal.net_contents);
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{deal.is_expired ? 'Expired' : 'Expires'}</dt>
        <dd>
          {expiry && deal.expires_at ? (
            <>
              <time dateTime={deal.expires_at.toISOString()}>{expiry.absolute}</time>
              <small data-soon={expiry.isSoon || undefined}>{daysLeft(deal, expiry)}</small>
            </>
          ) : (
            'No end date known'
          )}
        </dd>
      </div>
      <div>
        <dt>Product status</dt>
        <dd>
          {deal.status === 'new' ? 'New' : 'Used'}
          {deal.status === 'used' && deal.condition ? (
            <small>Condition: {dealStatusLabel(deal)}</small>
          ) : null}
        </dd>
      </div>
      <div>
        <dt>Seller</dt>
        <dd>{deal.seller_type === 'amazon' ? 'Amazon' : 'Third Party'}</dd>
      </div>
      {contents ? (
        <div>
          <dt>Net contents</dt>
          <dd>
            {showAmount(contents.amount)}
            {unit ? <small>{unit.text}</small> : null}
          </dd>
        </div>
      ) : null}
      {deal.brand ? (
        <div>
          <dt>Brand</dt>
          <dd>
            <span className="row gap-3">
              <Link to={`/deals?${new URLSearchParams({ brand: deal.brand })}`}>{deal.brand}</Link>
              <FollowButton
                target={{ kind: 'brand', name: deal.brand }}
                name={deal.brand}
                at="#facts"
              />
            </span>
          </dd>
        </div>
      ) : null}
      <div>
        <dt>Category</dt>
        <dd>
          <Link to={`/categories/${deal.category.slug}`}>{deal.category.name}</Link>
        </dd>
      </div>
    </dl>
  );
}

function daysLeft(deal: PageDeal, expiry: DealExpiry): string {
  if (deal.is_expired || expiry.daysLeft === 0) return 'This deal has expired';
  if (expiry.isSoon) return expiry.text;
  return `${expiry.daysLeft} days left`;
}
