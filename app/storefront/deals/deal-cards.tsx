import type { ComponentProps } from 'react';
import dealGrid from '#app/features/deals/deal-grid.module.css';
import type { PricedDeal } from '#app/features/prices/price-deals.server.ts';
import { PricedDealCard } from '#app/features/prices/priced-deal-card.tsx';
import { DealActions } from '#app/storefront/chrome/deal-actions.tsx';

/** Deals as cards in their grid, with what the signed-in do with each. */
export function DealCards({
  deals,
  eager = 0,
  wide = 0,
  rows,
  ...look
}: {
  deals: PricedDeal[];
  /** The pictures of so many load at once, the very first before others. */
  eager?: number;
  /** So many stand wider than the others. */
  wide?: number;
  /** Where there is room: of three. */
  rows?: 'three' | undefined;
} & Pick<ComponentProps<typeof PricedDealCard>, 'now' | 'variant' | 'headingLevel'>) {
  return (
    <div className={dealGrid.grid} data-rows={rows}>
      {deals.map((priced, index) => (
        <PricedDealCard
          key={priced.deal.id}
          priced={priced}
          isEager={index < eager}
          isFirst={eager > 0 && index === 0}
          actions={<DealActions deal={priced.deal} price={priced.price?.now ?? null} />}
          {...look}
          {...(index < wide && { variant: 'featured' })}
        />
      ))}
    </div>
  );
}
