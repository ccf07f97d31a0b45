import type { ComponentProps, ReactNode } from 'react';
import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import dealGrid from '#app/features/deals/deal-grid.module.css';
import type { PricedDeal } from '#app/features/prices/price-deals.server.ts';
import { PricedDealCard } from '#app/features/prices/priced-deal-card.tsx';
import { SignedInActions } from '#app/storefront/chrome/signed-in-actions.tsx';

/** cards; whole rows of 1, 2, 3, 4 or 6 */
const cardsBeforeSlot = 12;

/** Deals as cards in their grid, with signed-in visitors' buttons. */
export function DealCards({
  deals,
  eager = 0,
  children,
  ...look
}: {
  deals: PricedDeal[];
  /** The number of pictures to load at once, the first of them with priority. */
  eager?: number;
  /** A slot between the rows of cards, or below them if there are few. */
  children?: ReactNode;
} & Pick<ComponentProps<typeof PricedDealCard>, 'now' | 'variant' | 'headingLevel'>) {
  const viewer = useViewer();
  const cards = deals.map((priced, index) => (
    <PricedDealCard
      key={priced.deal.id}
      priced={priced}
      isEager={index < eager}
      isFirst={eager > 0 && index === 0}
      actions={
        viewer ? <SignedInActions deal={priced.deal} price={priced.price?.now ?? null} /> : null
      }
      {...look}
    />
  ));
  return (
    <div className={dealGrid.grid} data-dense="chosen">
      {cards.slice(0, cardsBeforeSlot)}
      {children}
      {cards.slice(cardsBeforeSlot)}
    </div>
  );
}
