import { type ReactNode } from 'react';
import {
  activeFilters,
  listPageHref,
  unfilteredHref,
} from '#app/features/deals/deal-list-address.ts';
import { FollowButton } from '#app/features/follows/follow-button.tsx';
import { Slot } from '#app/features/slots/slot.tsx';
import dealGrid from '#app/features/deals/deal-grid.module.css';
import { WatchSearch } from '#app/features/watched-searches/watch-search.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { DealCards } from './deal-cards.tsx';
import { DealFilterBar } from './deal-filter-bar.tsx';
import { dealCount } from './deal-count.ts';
import { ListRegion } from './list-region.tsx';
import type { DealListView } from './read-deal-list.server.ts';
import styles from './deal-list-section.module.css';

/**
 * Renders a list of deals with filters, count and pagination, for the all-deals, category and store
 * pages. `countText` describes the count, and `headingLevel` follows the page's own headings.
 */
export function DealListSection({
  list,
  countText,
  chips,
  categoryId = null,
}: {
  list: DealListView;
  countText: string;
  chips?: ReactNode;
  /** The category, on a category's page. */
  categoryId?: number | null;
}) {
  const { address, page, deals, now, pageCount } = list;
  const { brand } = address.values;
  const isFiltered = activeFilters(address).length > 0;
  return (
    <section aria-label="Deals">
      <div data-region="list-head">
        <div className={styles.above}>
          <p className={styles.count} role="status">
            {countText}
          </p>
          <WatchSearch list={address} now={now} />
          {brand ? (
            <FollowButton target={{ kind: 'brand', name: brand }} name={brand} hasName />
          ) : null}
          <Link className={styles.how} to="/how-we-rank">
            How we rank and earn
          </Link>
        </div>
        {chips}
        <DealFilterBar address={address} facets={list.facets} totals={list} />
      </div>
      <ListRegion>
        {deals.length === 0 ? (
          <NoDeals clearHref={isFiltered ? unfilteredHref(address) : null} />
        ) : (
          <DealCards deals={deals} now={now} headingLevel={2} eager={4}>
            <Slot place="list" categoryId={categoryId} className={dealGrid.across} />
          </DealCards>
        )}
      </ListRegion>
      <div data-region="list-pages">
        {deals.length === 0 ? null : (
          <div className={styles.below}>
            <p className="small">{rangeText(list)}</p>
            <Pager
              page={page}
              pageCount={pageCount}
              hrefOf={(other) => listPageHref(address, other)}
              label="Pages of deals"
              swap="push"
            />
          </div>
        )}
      </div>
    </section>
  );
}

function NoDeals({ clearHref }: { clearHref: string | null }) {
  return (
    <MessagePanel
      icon="tag"
      title="No deals found"
      actions={
        <>
          {clearHref ? (
            <ButtonLink variant="primary" to={clearHref} swap="push">
              Clear Filters
            </ButtonLink>
          ) : null}
          <ButtonLink to="/categories">Browse Categories</ButtonLink>
        </>
      }
    >
      Try adjusting your search criteria or browse different categories.
    </MessagePanel>
  );
}

function rangeText(list: DealListView): string {
  const { page, pageCount, deals, total, expiredTotal, isTotalCapped, pageSize } = list;
  if (list.isCollapsed) return `Page ${page} of ${pageCount}, each product once`;
  const first = (page - 1) * pageSize + 1;
  const last = first + deals.length - 1;
  return `Showing ${first.toLocaleString('en-US')}–${last.toLocaleString('en-US')} of ${dealCount(total, isTotalCapped)}${expiredTotal > 0 ? `, the last ${expiredTotal.toLocaleString('en-US')} of them expired` : ''}`;
}
