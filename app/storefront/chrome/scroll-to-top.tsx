import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import styles from './scroll-to-top.module.css';

/** A button in the corner, shown after scrolling 300 px (`islands/behaviours.ts`). */
export function ScrollToTop() {
  return (
    <Button isIcon hidden data-act="top" className={styles.button} aria-label="Scroll to top">
      <Icon name="arrow-up" />
    </Button>
  );
}
