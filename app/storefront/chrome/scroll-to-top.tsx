import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import styles from './scroll-to-top.module.css';

/** Floats at the corner once the page is scrolled past 300 px (`islands/behaviours.ts`). */
export function ScrollToTop() {
  return (
    <Button isIcon hidden data-act="top" className={styles.button} aria-label="Scroll to top">
      <Icon name="arrow-up" />
    </Button>
  );
}
