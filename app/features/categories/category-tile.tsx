import card from '#app/ui/card.module.css';
import { Icon } from '#app/ui/icon.tsx';
import { Link } from '#app/ui/link.tsx';
import { categoryIcon } from './category-icon.ts';
import type { Category } from './category-queries.server.ts';
import styles from './category-tile.module.css';

/**
 * Renders a category as one large link. `hasDescription` selects the larger version for the
 * category grid.
 */
export function CategoryTile({
  category,
  hasDescription = false,
}: {
  category: Category;
  hasDescription?: boolean;
}) {
  const count = category.deal_count;
  return (
    <Link
      to={`/categories/${category.slug}`}
      className={`${card.card} ${styles.tile}`}
      data-large={hasDescription || undefined}
    >
      <span className={styles.icon}>
        <Icon name={categoryIcon(category)} size={hasDescription ? 26 : 22} />
      </span>
      <span className={styles.name}>{category.name}</span>
      <span className={styles.count}>
        {count.toLocaleString('en-US')} {count === 1 ? 'deal' : 'deals'} available
      </span>
      {hasDescription ? (
        <span className={styles.description}>
          {category.description || `Discounted ${category.name.toLowerCase()} from all stores.`}
        </span>
      ) : null}
    </Link>
  );
}
