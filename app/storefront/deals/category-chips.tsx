import { ChipLink } from '#app/ui/chip.tsx';
import styles from './category-chips.module.css';

/** "All Deals" and every category. `query` is what a chip carries along: the other filters. */
export function CategoryChips({
  categories,
  current,
  query,
}: {
  categories: { slug: string; name: string }[];
  /** The category shown; null for all deals. */
  current: string | null;
  query: string;
}) {
  const suffix = query === '' ? '' : `?${query}`;
  return (
    <nav className={styles.chips} aria-label="Categories">
      <ul>
        <li>
          <ChipLink to={`/deals${suffix}`} isCurrent={current === null}>
            All Deals
          </ChipLink>
        </li>
        {categories.map(({ slug, name }) => (
          <li key={slug}>
            <ChipLink to={`/categories/${slug}${suffix}`} isCurrent={current === slug}>
              {name}
            </ChipLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
