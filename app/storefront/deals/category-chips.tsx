import { ChipLink } from '#app/ui/chip.tsx';
import styles from './category-chips.module.css';

/** "All Deals" and every category. `suffix` is what a chip carries along: the other filters, as `?type=coupon`. */
export function CategoryChips({
  categories,
  current,
  suffix,
}: {
  categories: { slug: string; name: string }[];
  /** The category shown; null for all deals. */
  current: string | null;
  suffix: string;
}) {
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
