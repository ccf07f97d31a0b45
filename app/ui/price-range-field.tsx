import type { ComponentProps } from 'react';
import styles from './price-range-field.module.css';

/**
 * Renders from–to prices in a filter bar, starting with the current ones. `pattern` matches the
 * prices that the server parses, and `title` describes them.
 */
export function PriceRangeField({
  min,
  max,
  pattern,
  title,
}: {
  min?: string;
  max?: string;
  pattern: string;
  title: string;
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
        title={title}
        aria-label="Minimum price"
        placeholder="Min"
      />
      <span aria-hidden="true">–</span>
      <PriceInput
        name="max"
        defaultValue={max}
        pattern={pattern}
        title={title}
        aria-label="Maximum price"
        placeholder="Max"
      />
    </fieldset>
  );
}

function PriceInput(props: ComponentProps<'input'>) {
  return (
    <input type="text" {...props} className={styles.input} inputMode="decimal" maxLength={20} />
  );
}
