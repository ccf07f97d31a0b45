import { DealCards } from '#app/storefront/deals/deal-cards.tsx';
import { activeFilters, listHref, unfilteredHref } from '#app/features/deals/deal-list-address.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { dealCount } from '#app/storefront/deals/deal-count.ts';
import { pillLabel } from '#app/features/deals/deal-filter-options.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { ChipLink } from '#app/ui/chip.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Link } from '#app/ui/link.tsx';
import type { SearchView, WaysOn } from './read-search-results.server.ts';
import styles from './no-results.module.css';

/** The view without results: four tips, popular searches, and a few deals. */
export function NoResults({ view, instead }: { view: SearchView; instead: WaysOn }) {
  const { text, address, now } = view;
  const filters = activeFilters(address);
  const isByPriceAlone = filters.every(({ name }) => name === 'min' || name === 'max');
  return (
    <>
      <div className={styles.nothing}>
        <span className={styles.icon}>
          <Icon name="search" size={28} />
        </span>
        <h2>No results found</h2>
        <p>
          {`Nothing matches "${text}"`}
          {filters.length > 0
            ? isByPriceAlone
              ? ' in this price range'
              : ' with these filters'
            : ''}
          .
        </p>
        <ul className={styles.tips}>
          <li>Check your spelling</li>
          <li>Try different keywords</li>
          <li>Use a more general term</li>
          <li>
            <Link to="/categories">Browse categories</Link>
          </li>
        </ul>
        <FilterCosts view={view} />
        {filters.length > 0 ? (
          <ButtonLink variant="primary" to={unfilteredHref(address)} swap="push">
            Clear Filters
          </ButtonLink>
        ) : null}
      </div>
      {instead.searches.length > 0 ? (
        <section className={styles.section} aria-labelledby="popular-searches">
          <h2 id="popular-searches">Popular searches</h2>
          <ul className="row gap-2">
            {instead.searches.map((search) => (
              <li key={search}>
                <ChipLink to={`/deals?${new URLSearchParams({ search })}`} isCurrent={false}>
                  {search}
                </ChipLink>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {instead.deals.length > 0 ? (
        <section className={styles.section} aria-labelledby="instead">
          <h2 id="instead">{instead.title}</h2>
          <DealCards deals={instead.deals} now={now} variant="compact" />
        </section>
      ) : null}
    </>
  );
}

/** Links such as `5 deals without “Up to $20”`, for when filters leave no deal. */
export function FilterCosts({ view: { address, found } }: { view: SearchView }) {
  const { currency } = useSite();
  if (!found || found.without.length === 0) return null;
  const nameOf = (name: string) =>
    pillLabel({ name, value: address.values[name] ?? '' }, found.facets, currency);
  return (
    <ul
      className={`links stack start gap-1 below-6 strong ${styles.costs}`}
      aria-label="Results without each filter"
    >
      {found.without.map(({ name, count }) => (
        <li key={name}>
          <Link to={listHref(address, { [name]: '' })} swap="push">
            {`${dealCount(count)} without “${nameOf(name)}”`}
          </Link>
        </li>
      ))}
    </ul>
  );
}
