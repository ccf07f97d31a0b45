import { ActForm, PostButton } from '#app/ui/act-form.tsx';
import { Button } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import type { ProductOfDeal } from '#app/features/products/review-links.server.ts';
import styles from './deal-form.module.css';

/** The product that the deal is an offer of, or a form that links it to one. */
export function DealProduct({ product }: { product: ProductOfDeal | null }) {
  return (
    <section className={styles.clicks} aria-labelledby="product">
      <h2 id="product">Product</h2>
      {product === null ? (
        <p className="small">No other store’s deal is linked to this one.</p>
      ) : null}
      {product ? <Linked product={product} /> : null}
      {product === null || product.splitBy !== null ? (
        <ActForm fields={{ intent: 'link-product' }} className="stack gap-2">
          <TextField
            name="product"
            label="Link to"
            hint="A product’s address, number or GTIN, or another deal’s address."
            required
          />
          <div>
            <Button type="submit">Link</Button>
          </div>
        </ActForm>
      ) : null}
    </section>
  );
}

function Linked({ product: { id, title, splitBy } }: { product: ProductOfDeal }) {
  return (
    <>
      <p>
        {splitBy === null ? 'Part of ' : 'Taken out of '}
        <Link to={`/admin/deals/products/${id}`}>{title}</Link>
      </p>
      {splitBy === null ? (
        <PostButton fields={{ intent: 'split' }}>Not the same</PostButton>
      ) : (
        <PostButton fields={{ intent: 'undo-product', act: splitBy }}>Put it back</PostButton>
      )}
    </>
  );
}
