import dealGrid from '#app/features/deals/deal-grid.module.css';
import { PricedDealCard } from '#app/features/prices/priced-deal-card.tsx';
import { DealActions } from '#app/storefront/chrome/deal-actions.tsx';
import type { PricedDeal } from '#app/features/prices/price-deals.server.ts';
import { TitledSection } from '#app/ui/titled-section.tsx';
import styles from './similar-deals.module.css';

/** Up to three live deals of the same category. */
export function SimilarDeals({
  similar,
  category,
  now,
}: {
  similar: PricedDeal[];
  category: { name: string; slug: string };
  now: Date;
}) {
  return (
    <TitledSection
      id="similar-deals"
      title="Similar Deals"
      link={{ to: `/categories/${category.slug}`, label: `All deals in ${category.name}` }}
    >
      {similar.length === 0 ? (
        <p className="muted">No similar deals found in this category.</p>
      ) : (
        <div className={`${dealGrid.grid} ${styles.three}`}>
          {similar.map((priced) => (
            <PricedDealCard
              key={priced.deal.id}
              priced={priced}
              now={now}
              variant="compact"
              actions={<DealActions deal={priced.deal} price={priced.price?.now ?? null} />}
            />
          ))}
        </div>
      )}
    </TitledSection>
  );
}
