import { Fragment, type ReactNode } from 'react';
import { countNoun } from '#app/platform/count-noun.ts';
import { CategoryTile } from '#app/features/categories/category-tile.tsx';
import { listHref, listPageHref } from '#app/features/deals/deal-list-address.ts';
import { MerchantTile } from '#app/features/merchants/merchant-tile.tsx';
import { DealCards } from '#app/storefront/deals/deal-cards.tsx';
import { DealFilterBar } from '#app/storefront/deals/deal-filter-bar.tsx';
import { ListRegion, searchError } from '#app/storefront/deals/list-region.tsx';
import { countOfList } from '#app/storefront/deals/deal-count.ts';
import { WatchSearch } from '#app/features/watched-searches/watch-search.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { FilterCosts, NoResults } from './no-results.tsx';
import type { FoundInCatalog, SearchView } from './read-search-results.server.ts';
import list from '#app/storefront/deals/deal-list-section.module.css';
import styles from './search-results.module.css';

/**
 * The results of a search among deals, categories and stores, below the coupons that the search
 * asks for.
 */
export function SearchResults({ view, coupons }: { view: SearchView; coupons?: ReactNode }) {
  const { text, address, found } = view;
  return (
    <>
      <PageHeading title={`Search Results for "${text}"`} />
      {found === null ? (
        <SearchError view={view} />
      ) : (
        <>
          <div data-region="list-head">
            <div className={styles.counts} role="status">
              <p>{foundText(found)}</p>
              {found.totalResults > 0 ? <p>{countsText(found)}</p> : null}
              <WatchSearch list={address} now={view.now} />
            </div>
            <Corrected view={view} />
            <Read view={view} />
            <CheckPrice view={view} />
            <Relaxed view={view} />
            <AlsoSearched view={view} />
            <DealFilterBar address={address} facets={found.facets} totals={found} />
          </div>
          {coupons}
          <ListRegion searched={text}>
            {found.instead ? (
              <NoResults view={view} instead={found.instead} />
            ) : (
              <>
                <FilterCosts view={view} />
                <Sections view={view} found={found} />
              </>
            )}
          </ListRegion>
        </>
      )}
    </>
  );
}

/** The line "Showing results for …": the corrected words, with a link to the typed ones. */
function Corrected({ view: { text, address, found } }: { view: SearchView }) {
  if (!found?.correctedQuery) return null;
  return (
    <p className="below-4">
      Showing results for <strong>{found.correctedQuery}</strong>. Search instead for{' '}
      <Link to={listHref(address, { exact: '1' })}>{text}</Link>
    </p>
  );
}

/** The line that shows which typed words became filters, with links to remove the filters. */
function Read({ view: { text, isRead, address } }: { view: SearchView }) {
  if (!isRead) return null;
  const asTyped = listHref({ ...address, values: {} }, { search: text, exact: '1' });
  return (
    <p className="below-4">
      Searched for <strong>{address.values['search']}</strong> and turned the rest into filters.
      Search instead for <Link to={asTyped}>“{text}”</Link>
    </p>
  );
}

/** The link to the price check, if a URL was typed. */
function CheckPrice({ view: { link } }: { view: SearchView }) {
  if (link === null) return null;
  return (
    <p className="below-4">
      <Link to={`/check?${new URLSearchParams({ url: link })}`} rel="nofollow">
        Check this price
      </Link>
    </p>
  );
}

/** Alternatives with fewer words, if no deal has all words. */
function Relaxed({ view: { address, found } }: { view: SearchView }) {
  const [shown, ...others] = found?.alternatives ?? [];
  if (!found || !shown) return null;
  const leftOut = ({ without }: { without: string[] }) =>
    without.map((word) => `“${word}”`).join(' and ');
  return (
    <p className="below-4">
      No deal has all of: <strong>{found.correctedQuery ?? found.query}</strong>.{' '}
      {`${found.total - found.expiredTotal} without ${leftOut(shown)}`}
      {others.map((other) => (
        <Fragment key={other.text}>
          {' · '}
          <Link to={listHref(address, { search: other.text })} swap="push">
            {`${other.count} without ${leftOut(other)}`}
          </Link>
        </Fragment>
      ))}
    </p>
  );
}

const allOf = new Intl.ListFormat('en');

/** The synonyms that found deals, with the search as typed. */
function AlsoSearched({ view: { address, found } }: { view: SearchView }) {
  if (!found || found.alsoSearched.length === 0) return null;
  return (
    <p className={styles.also}>
      Also searched for {allOf.format(found.alsoSearched)}.{' '}
      <Link to={listHref(address, { exact: '1' })}>Only “{found.query}”</Link>
    </p>
  );
}

function Sections({ view: { address, now }, found }: { view: SearchView; found: FoundInCatalog }) {
  return (
    <div className="stack gap-10">
      {found.deals.length > 0 ? (
        <section aria-labelledby="found-deals">
          <div className={styles.sectionHead}>
            <h2 id="found-deals">
              Deals{' '}
              <Count
                of={found.total - found.expiredTotal}
                isCapped={found.isTotalCapped && found.expiredTotal === 0}
              />
            </h2>
            <Link className={list.how} to="/how-we-rank">
              How we rank and earn
            </Link>
          </div>
          <DealCards deals={found.deals} now={now} eager={4} />
          <div className={styles.pages}>
            <Pager
              page={found.page}
              pageCount={found.pageCount}
              hrefOf={(page) => listPageHref(address, page)}
              label="Pages of results"
              swap="push"
            />
          </div>
        </section>
      ) : null}
      {found.categories.length > 0 ? (
        <section aria-labelledby="found-categories">
          <h2 id="found-categories" className="below-4">
            Categories <Count of={found.categories.length} />
          </h2>
          <ul className={styles.tiles}>
            {found.categories.map((category) => (
              <li key={category.id}>
                <CategoryTile category={category} />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {found.merchants.length > 0 ? (
        <section aria-labelledby="found-stores">
          <h2 id="found-stores" className="below-4">
            Stores <Count of={found.merchants.length} />
          </h2>
          <ul className={styles.tiles}>
            {found.merchants.map((merchant) => (
              <li key={merchant.id}>
                <MerchantTile merchant={merchant} />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  );
}

function Count({ of, isCapped = false }: { of: number; isCapped?: boolean }) {
  return (
    <span className={styles.number}>
      ({of.toLocaleString('en-US')}
      {isCapped ? '+' : ''})
    </span>
  );
}

function SearchError({ view: { text, address } }: { view: SearchView }) {
  return (
    <div role="alert">
      <MessagePanel
        icon="alert"
        title="Search Error"
        actions={
          // The link requests a document, so that a failed search is retried on a fresh connection,
          // and without JavaScript.
          <ButtonLink variant="primary" to={listHref(address)}>
            Retry
          </ButtonLink>
        }
      >
        {searchError(text)}
      </MessagePanel>
    </div>
  );
}

/**
 * Returns the number of results. Expired deals are not counted, as in all other counts on the site.
 */
function foundText({ totalResults, expiredTotal, isTotalCapped }: FoundInCatalog): string {
  const found = totalResults - expiredTotal;
  const number = `${found.toLocaleString('en-US')}${isTotalCapped && expiredTotal === 0 ? '+' : ''}`;
  return `Found ${number} ${found === 1 ? 'result' : 'results'}`;
}

function countsText(found: FoundInCatalog): string {
  const counts = [
    countOfList(found),
    countNoun(found.categories.length, 'category', 'categories'),
    countNoun(found.merchants.length, 'store'),
  ];
  return counts.join(' · ');
}
