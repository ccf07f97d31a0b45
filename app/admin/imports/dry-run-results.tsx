import dealGrid from '#app/features/deals/deal-grid.module.css';
import type { DryRun } from '#app/features/feeds/runs/dry-run.ts';
import { PricedDealCard } from '#app/features/prices/priced-deal-card.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney } from '#app/platform/money.ts';
import { Link } from '#app/ui/link.tsx';
import styles from './imports.module.css';

/** Returns the stored cards and names of a dry run, with its dates parsed from text. */
export function readDryRun(stored: unknown): DryRun | null {
  if (typeof stored !== 'object' || stored === null || !('cards' in stored)) return null;
  const dryRun = stored as DryRun;
  return {
    ...dryRun,
    cards: dryRun.cards.map(({ deal, price }) => ({
      price,
      deal: { ...deal, expires_at: deal.expires_at && new Date(deal.expires_at) },
    })),
  };
}

/** The dry run's first cards, the categories it would create, and the deals it would end. */
export function DryRunResults({
  dryRun: { cards, categories, categoryCount, ending },
  endingCount,
  now,
}: {
  dryRun: DryRun;
  endingCount: number;
  now: Date;
}) {
  return (
    <>
      {cards.length === 0 ? null : <Cards cards={cards} now={now} />}
      {categories.length === 0 ? null : (
        <section className={styles.part} aria-labelledby="new-categories">
          <h2 id="new-categories">New categories</h2>
          <p className={styles.lead}>
            {withRest(categories.join(', '), categoryCount - categories.length)}. Match the feed’s
            categories to yours on the columns page to avoid them.
          </p>
        </section>
      )}
      {ending.length === 0 ? null : (
        <section className={styles.part} aria-labelledby="endings">
          <h2 id="endings">Deals that would end</h2>
          <ul className="stack gap-1 anywhere">
            {ending.map(({ title, slug }) => (
              <li key={slug}>
                <Link to={`/deals/${slug}`}>{title}</Link>
              </li>
            ))}
          </ul>
          {endingCount > ending.length ? (
            <p className={styles.lead}>{withRest('', endingCount - ending.length).trim()}.</p>
          ) : null}
        </section>
      )}
    </>
  );
}

function withRest(names: string, more: number): string {
  return more > 0 ? `${names} and ${more.toLocaleString('en-US')} more` : names;
}

function Cards({ cards, now }: { cards: DryRun['cards']; now: Date }) {
  const { currency } = useSite();
  return (
    <section className={styles.part} aria-labelledby="cards">
      <h2 id="cards">How the first deals will look</h2>
      <ul className="visually-hidden">
        {cards.map(({ deal, price }) => (
          <li key={deal.id}>
            {[deal.title, price && formatMoney(price.now, currency)].filter(Boolean).join(', ')}
          </li>
        ))}
      </ul>
      {/* The cards' deals do not exist yet, so their links are disabled. */}
      <div className={dealGrid.grid} inert>
        {cards.map((priced) => (
          <PricedDealCard key={priced.deal.id} priced={priced} now={now} headingLevel={3} />
        ))}
      </div>
    </section>
  );
}
