import type { ReactNode } from 'react';
import { DealCard, type DealCardVariant } from '#app/features/deals/deal-card.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { isPriceHidden } from './hide-price.ts';
import { judgeClaim } from './price-claims.ts';
import type { PricedDeal } from './price-deals.server.ts';
import { PriceLine } from './price-line.tsx';
import styles from './priced-deal-card.module.css';
import { ProofLine } from './proof-line.tsx';

/** The deal card as lists show it: with its price, the claim that may be made, and the proof. */
export function PricedDealCard({
  priced: { deal, proof },
  now,
  variant,
  headingLevel,
  isEager,
  isFirst,
  actions,
}: {
  priced: PricedDeal;
  now: Date;
  variant?: DealCardVariant;
  headingLevel?: 2 | 3;
  isEager?: boolean;
  isFirst?: boolean;
  actions?: ReactNode;
}) {
  const site = useSite();
  const isHidden = isPriceHidden(deal, now);
  const claim = judgeClaim(deal, proof.originalSeenUntil, site);
  return (
    <DealCard
      deal={deal}
      now={now}
      timeZone={site.timeZone}
      variant={variant}
      headingLevel={headingLevel}
      discountPercent={isHidden ? null : claim.percent}
      isEager={isEager}
      isFirst={isFirst}
      actions={actions}
    >
      {isHidden ? (
        <p className={styles.hidden}>See price at store</p>
      ) : (
        <>
          <PriceLine salePrice={deal.sale_price} claim={claim} currency={site.currency} />
          <ProofLine proof={proof} deal={deal} now={now} currency={site.currency} />
          {claim.shortEvidence ? <p className={styles.evidence}>{claim.shortEvidence}</p> : null}
        </>
      )}
    </DealCard>
  );
}
