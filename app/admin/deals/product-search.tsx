import { Form } from 'react-router';
import type { FoundProduct } from '#app/features/products/product-screen-queries.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { HiddenFields, PostButton } from '#app/ui/act-form.tsx';
import { Button } from '#app/ui/button.tsx';
import { Link } from '#app/ui/link.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import styles from './admin-product-page.module.css';

/** Searches for the product to merge this one into, or to move one of its offers to. */
export function ProductSearch({
  product,
  q,
  moved,
  found,
}: {
  product: number;
  q: string;
  moved: { id: number; title: string } | null;
  found: FoundProduct[] | null;
}) {
  const fields: Record<string, string | number> = moved
    ? { intent: 'move', deal: moved.id }
    : { intent: 'merge' };
  return (
    <section id="search" className={styles.part} aria-labelledby="other-product">
      <h2 id="other-product">
        {moved ? `Move “${moved.title}” to another product` : 'Merge into another product'}
      </h2>
      <Form method="get" action="#search" className="bar gap-2">
        {moved ? <HiddenFields fields={{ move: moved.id }} /> : null}
        <TextField
          name="q"
          label="Product"
          defaultValue={q}
          hint="Its address, number, GTIN or words of its title."
        />
        <Button type="submit">Search</Button>
        {moved ? <Link to={`/admin/deals/products/${product}`}>Cancel</Link> : null}
      </Form>
      {found?.length === 0 ? <p>No other product matches.</p> : null}
      <Found found={found ?? []} fields={fields} verb={moved ? 'Move here' : 'Merge into this'} />
    </section>
  );
}

function Found({
  found,
  fields,
  verb,
}: {
  found: FoundProduct[];
  fields: Record<string, string | number>;
  verb: string;
}) {
  if (found.length === 0) return null;
  return (
    <ul className={styles.list}>
      {found.map(({ id, title, offers }) => (
        <li key={id}>
          <span>
            <Link to={`/admin/deals/products/${id}`}>{title}</Link>
            <span className={styles.sub}>
              #{id}, {countNoun(offers, 'offer')}
            </span>
          </span>
          <PostButton fields={{ ...fields, to: id }}>
            {verb}
            <span className="visually-hidden">: {title}</span>
          </PostButton>
        </li>
      ))}
    </ul>
  );
}
