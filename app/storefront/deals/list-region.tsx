import type { ReactNode } from 'react';
import dealGrid from '#app/features/deals/deal-grid.module.css';
import { SkeletonCard } from '#app/ui/skeleton-card.tsx';
import styles from './list-region.module.css';
import { useListTransition } from './use-list-transition.ts';

const skeletons = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The part of a page that changes with its list: dimmed while it is filtered, six skeletons while another one comes. */
export function ListRegion({ children }: { children: ReactNode }) {
  const transition = useListTransition();
  if (transition.kind === 'none' || transition.kind === 'same-list') {
    return (
      <div className={styles.region} aria-busy={transition.kind === 'same-list'}>
        {children}
      </div>
    );
  }
  return (
    <div className={styles.region} aria-busy="true">
      <output className={transition.kind === 'search' ? styles.searching : 'visually-hidden'}>
        {transition.kind === 'search' ? `Searching for "${transition.text}"...` : 'Loading deals…'}
      </output>
      <div className={dealGrid.grid}>
        {skeletons.map((key) => (
          <SkeletonCard key={key} />
        ))}
      </div>
    </div>
  );
}
