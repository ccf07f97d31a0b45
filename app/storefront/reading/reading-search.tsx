import { Form } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import styles from './reading-search.module.css';

/** The longest search that is looked at. */
export const longestReadingSearch = 100;

const none: Record<string, string> = {};

/** A search within the page's own texts. It is a plain GET form: its state is the address. */
export function ReadingSearch({
  action,
  label,
  search,
  kept = none,
}: {
  action: string;
  label: string;
  /** What the address asks for now. */
  search: string;
  /** Other parameters of the address that a search leaves as they are. */
  kept?: Record<string, string>;
}) {
  return (
    <Form action={action} role="search" aria-label={label} className={styles.search}>
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <span className={styles.frame}>
        <Icon name="search" />
        <input
          key={search}
          type="search"
          name="search"
          aria-label={label}
          placeholder={label}
          defaultValue={search}
          maxLength={longestReadingSearch}
          autoComplete="off"
          enterKeyHint="search"
        />
      </span>
      <Button type="submit" look="primary">
        Search
      </Button>
    </Form>
  );
}
