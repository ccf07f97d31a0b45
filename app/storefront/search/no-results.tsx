import { Link } from 'react-router';
import dealGrid from '#app/features/deals/deal-grid.module.css';
import { DealActions } from '#app/storefront/chrome/deal-actions.tsx';
import { PricedDealCard } from '#app/features/prices/priced-deal-card.tsx';
import { activeFilterCount } from '#app/features/search/search-input.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { ChipLink } from '#app/ui/chip.tsx';
import { Icon } from '#app/ui/icon.tsx';
import type { SearchView, WaysOn } from './read-search-results.server.ts';
import { searchHref } from './search-href.ts';
import styles from './no-results.module.css';

/** Nothing found: four tips, what others look for, and a few deals to go on with. */
export function NoResults({
  view: { input, now },
  instead,
}: {
  view: SearchView;
  instead: WaysOn;
}) {
  const isFiltered = activeFilterCount(input) > 0;
  return (
    <>
      <div className={styles.nothing}>
        <span className={styles.icon}>
          <Icon name="search" size={28} />
        </span>
        <h2>No results found</h2>
        <p>
          {isFiltered
            ? `Nothing matches "${input.query}" in this price range.`
            : `Nothing matches "${input.query}".`}
        </p>
        <ul className={styles.tips}>
          <li>Check your spelling</li>
          <li>Try different keywords</li>
          <li>Use a more general term</li>
          <li>
            <Link to="/categories">Browse categories</Link>
          </li>
        </ul>
        {isFiltered ? (
          <ButtonLink
            look="primary"
            to={searchHref(input, { minPrice: null, maxPrice: null, page: 1 })}
          >
            Clear Filters
          </ButtonLink>
        ) : null}
      </div>
      {instead.searches.length > 0 ? (
        <section className={styles.section} aria-labelledby="popular-searches">
          <h2 id="popular-searches">Popular searches</h2>
          <ul className={styles.searches}>
            {instead.searches.map((text) => (
              <li key={text}>
                <ChipLink to={`/deals?${new URLSearchParams({ search: text })}`} isCurrent={false}>
                  {text}
                </ChipLink>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {instead.deals.length > 0 ? (
        <section className={styles.section} aria-labelledby="instead">
          <h2 id="instead">{instead.title}</h2>
          <div className={dealGrid.grid}>
            {instead.deals.map((priced) => (
              <PricedDealCard
                key={priced.deal.id}
                priced={priced}
                now={now}
                variant="compact"
                actions={<DealActions deal={priced.deal} price={priced.price?.now ?? null} />}
              />
            ))}
          </div>
        </section>
      ) : null}
    </>
  );
}
