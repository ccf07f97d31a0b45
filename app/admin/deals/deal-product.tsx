import { PostButton } from '#app/ui/act-form.tsx';
import { Link } from '#app/ui/link.tsx';
import type { ProductOfDeal } from '#app/features/products/review-links.server.ts';
import styles from './deal-form.module.css';

/** The product that the deal is an offer of, or that staff took it out of. */
export function DealProduct({ product }: { product: ProductOfDeal }) {
  const { slug, title, splitBy } = product;
  return (
    <section className={styles.held} aria-labelledby="product">
      <h2 id="product">Product</h2>
      <p>
        {splitBy === null ? 'Part of ' : 'Taken out of '}
        <Link to={`/products/${slug}`}>{title}</Link>
      </p>
      {splitBy === null ? (
        <PostButton fields={{ intent: 'split' }}>Not the same</PostButton>
      ) : (
        <PostButton fields={{ intent: 'undo-split', act: splitBy }}>Put it back</PostButton>
      )}
    </section>
  );
}
