import type { Variant } from '#app/features/products/product-queries.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { formatMoney } from '#app/platform/money.ts';
import { ChipLink } from '#app/ui/chip.tsx';
import styles from './product-variants.module.css';

/** Links the product with its variants, each with its lowest price. */
export function ProductVariants({ variants, current }: { variants: Variant[]; current: number }) {
  const { currency } = useSite();
  if (variants.length === 0) return null;
  const hasPrices = variants.some(({ from }) => from !== null);
  return (
    <nav aria-label="Variants" className={styles.variants}>
      <ul>
        {variants.map(({ id, slug, label, from }) => (
          <li key={id}>
            <ChipLink to={`/products/${slug}`} isCurrent={id === current}>
              {from === null ? label : `${label}, from ${formatMoney(from, currency)}`}
            </ChipLink>
          </li>
        ))}
      </ul>
      {hasPrices ? <p className="small">Prices of new items, without shipping.</p> : null}
    </nav>
  );
}
