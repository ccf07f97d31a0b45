import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import styles from './theme-toggle.module.css';

/**
 * Both icons are in the page, and CSS shows the right one, so that one cached page serves both
 * themes.
 */
export function ThemeToggle() {
  return (
    <Button isIcon data-needs-js aria-label="Switch between light and dark theme" data-act="theme">
      <span className={styles.inLight}>
        <Icon name="moon" />
      </span>
      <span className={styles.inDark}>
        <Icon name="sun" />
      </span>
    </Button>
  );
}
