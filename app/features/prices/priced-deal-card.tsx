import type { ReactNode } from 'react';
import { DealCard, type DealCardVariant } from '#app/features/deals/deal-card.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import type { PricedDeal } from './price-deals.server.ts';
import { PriceLine } from './price-line.tsx';
import styles from './priced-deal-card.module.css';
import { ProofLine } from './proof-line.tsx';

/** The deal card as lists show it: with its price, the claim that may be made, and the proof. */
export function PricedDealCard({
  priced: { deal, price },
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
  const { currency, timeZone } = useSite();
  return (
    <DealCard
      deal={deal}
      now={now}
      timeZone={timeZone}
      variant={variant}
      headingLevel={headingLevel}
      discountPercent={price?.percent ?? null}
      isEager={isEager}
      isFirst={isFirst}
      actions={actions}
    >
      {price ? (
        <>
          <PriceLine price={price} currency={currency} />
          <ProofLine proof={price.proof} />
          {price.evidence ? <p className={styles.evidence}>{price.evidence}</p> : null}
        </>
      ) : (
        <p className={styles.hidden}>See price at store</p>
      )}
    </DealCard>
  );
}
