import { ActForm } from '#app/ui/act-form.tsx';
import { Button } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import type { ProductOfDeal } from '#app/features/products/review-links.server.ts';
import styles from './deal-form.module.css';

/** The product that the deal is an offer of, or that staff took it out of. */
export function DealProduct({ product }: { product: ProductOfDeal }) {
  const { slug, title, isSplit } = product;
  return (
    <section className={styles.held} aria-labelledby="product">
      <h2 id="product">Product</h2>
      <p>
        {isSplit ? 'Taken out of ' : 'Part of '}
        <Link to={`/products/${slug}`}>{title}</Link>
      </p>
      <ActForm fields={{}}>
        {isSplit ? (
          <Button type="submit" name="intent" value="undo-split">
            Put it back
          </Button>
        ) : (
          <Button type="submit" name="intent" value="split">
            Not the same
          </Button>
        )}
      </ActForm>
    </section>
  );
}
