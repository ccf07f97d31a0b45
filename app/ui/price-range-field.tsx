import type { ComponentProps } from 'react';
import styles from './price-range-field.module.css';

/** From–to prices in a filter bar, beginning with those in force. `pattern`: what the server reads as a price. */
export function PriceRangeField({
  min,
  max,
  pattern,
}: {
  min?: string;
  max?: string;
  pattern: string;
}) {
  return (
    <fieldset className={styles.range}>
      <legend className="visually-hidden">Price range</legend>
      <span className={styles.label} aria-hidden="true">
        Price
      </span>
      <PriceInput
        name="min"
        defaultValue={min}
        pattern={pattern}
        aria-label="Minimum price"
        placeholder="Min"
      />
      <span aria-hidden="true">–</span>
      <PriceInput
        name="max"
        defaultValue={max}
        pattern={pattern}
        aria-label="Maximum price"
        placeholder="Max"
      />
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
      title="A price such as 25, 249.99 or 249,99, but not 1.249, which could be two"
      maxLength={20}
    />
  );
}
