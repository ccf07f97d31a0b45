import type { ComponentProps } from 'react';
import styles from './price-range-field.module.css';

/** What the server reads as a price: `25`, `19.99`, `$1,299`. */
const pricePattern = String.raw`\s*[$€£]?\s*[0-9,]{1,11}(\.[0-9]{1,2})?\s*`;

/** From–to prices in a filter bar, beginning with those in force. */
export function PriceRangeField({ min, max }: { min?: string; max?: string }) {
  return (
    <fieldset className={styles.range}>
      <legend className="visually-hidden">Price range</legend>
      <span className={styles.label} aria-hidden="true">
        Price
      </span>
      <PriceInput name="min" defaultValue={min} aria-label="Minimum price" placeholder="Min" />
      <span aria-hidden="true">–</span>
      <PriceInput name="max" defaultValue={max} aria-label="Maximum price" placeholder="Max" />
    </fieldset>
  );
}

function PriceInput(props: ComponentProps<'input'>) {
  return (
    <input
      type="text"
      {...props}
      className={styles.input}
      inputMode="decimal"
      pattern={pricePattern}
      title="A price such as 25 or 19.99"
      maxLength={14}
    />
  );
}
