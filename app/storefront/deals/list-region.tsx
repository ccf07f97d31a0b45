import type { ReactNode } from 'react';
import dealGrid from '#app/features/deals/deal-grid.module.css';
import { Region } from '#app/ui/region.tsx';
import { SkeletonCard } from '#app/ui/skeleton-card.tsx';
import styles from './list-region.module.css';

const skeletons = ['a', 'b', 'c', 'd', 'e', 'f'];

/**
 * A list's deals, or the results of a search for `searched`. Six skeletons are shown while another
 * page loads.
 */
export function ListRegion({ searched, children }: { searched?: string; children: ReactNode }) {
  return (
    <Region
      name="list"
      sameAs={searched ? null : 'list of deals'}
      waiting={
        <>
          <output className={searched ? styles.searching : 'visually-hidden'}>
            {searched ? `Searching for "${searched}"...` : 'Loading deals…'}
          </output>
          <div className={dealGrid.grid} data-dense="chosen">
            {skeletons.map((key) => (
              <SkeletonCard key={key} />
            ))}
          </div>
        </>
      }
      lost={
        searched
          ? { title: 'Search Error', text: searchError(searched) }
          : {
              title: 'Something went wrong',
              text: 'The deals could not be loaded. Please try again.',
            }
      }
    >
      {children}
    </Region>
  );
}

export function searchError(searched: string): string {
  return `There was an error searching for "${searched}". Please try again.`;
}
