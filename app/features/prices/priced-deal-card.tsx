import type { ComponentProps, ReactNode } from 'react';
import { DealCard } from '#app/features/deals/deal-card.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import type { PricedDeal } from './price-deals.server.ts';
import { discountOf } from './price-claims.ts';
import { PriceLine } from './price-line.tsx';
import styles from './priced-deal-card.module.css';
import { ProofLine } from './proof-line.tsx';

/** Renders the deal card in lists, with its price, claim and evidence. */
export function PricedDealCard({
  priced: { deal, price },
  note,
  ...look
}: {
  priced: PricedDeal;
  /** A note for one visitor, below the price. */
  note?: ReactNode;
} & Omit<ComponentProps<typeof DealCard>, 'deal' | 'timeZone' | 'discount' | 'children'>) {
  const { currency, timeZone } = useSite();
  return (
    <DealCard
      {...look}
      deal={deal}
      timeZone={timeZone}
      discount={price && discountOf(price)}
      sameAs={note ? null : JSON.stringify([price, currency])}
    >
      {price ? (
        <>
          <PriceLine price={price} currency={currency} />
          <ProofLine proof={price.proof} />
          {price.evidence ? <p className={styles.evidence}>{price.evidence}</p> : null}
          {note ? <p className={styles.evidence}>{note}</p> : null}
        </>
      ) : (
        <>
          <p className={styles.hidden}>See price at store</p>
          {note ? <p className={styles.evidence}>{note}</p> : null}
        </>
      )}
    </DealCard>
  );
}
