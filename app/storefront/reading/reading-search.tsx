import { Form } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import styles from './reading-search.module.css';

/** The maximum length of a search, in characters. */
export const longestReadingSearch = 100;

const none: Record<string, string> = {};

/** A search within the page's own texts: a plain GET form with its state in the URL. */
export function ReadingSearch({
  action,
  label,
  search,
  kept = none,
}: {
  action: string;
  label: string;
  /** The search in the URL. */
  search: string;
  /** Other parameters that a search keeps. */
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
      <Button type="submit" variant="primary">
        Search
      </Button>
    </Form>
  );
}
