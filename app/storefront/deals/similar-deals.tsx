import type { PricedDeal } from '#app/features/prices/price-deals.server.ts';
import { TitledSection } from '#app/ui/titled-section.tsx';
import { DealCards } from './deal-cards.tsx';
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
        <p className={styles.none}>No similar deals found in this category.</p>
      ) : (
        <DealCards deals={similar} now={now} variant="compact" rows="three" />
      )}
    </TitledSection>
  );
}
