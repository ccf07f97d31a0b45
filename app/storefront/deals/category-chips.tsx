import { ChipLink } from '#app/ui/chip.tsx';
import { useMadeOnce } from '#app/ui/made-once.ts';
import styles from './category-chips.module.css';

interface Chips {
  categories: { slug: string; name: string }[];
  /** The current category, or `null` for all deals. */
  current: string | null;
  /** The query with the other filters, which a chip keeps, such as `?type=coupon`. */
  suffix: string;
}

/** Chips for "All Deals" and every category. */
export function CategoryChips(chips: Chips) {
  const content = useMadeOnce(`chips ${JSON.stringify(chips)}`, <ChipLinks {...chips} />);
  return <nav className={`below-4 ${styles.chips}`} aria-label="Categories" {...content} />;
}

function ChipLinks({ categories, current, suffix }: Chips) {
  return (
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
  );
}
