import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { presentTheme, setTheme } from '#app/ui/theme.ts';
import styles from './theme-toggle.module.css';

/** Both icons are in the page and CSS shows the fitting one, so that a cached page is right in either theme. */
export function ThemeToggle() {
  return (
    <Button
      isIcon
      data-needs-js
      aria-label="Switch between light and dark theme"
      onClick={() => setTheme(presentTheme() === 'dark' ? 'light' : 'dark')}
    >
      <span className={styles.inLight}>
        <Icon name="moon" />
      </span>
      <span className={styles.inDark}>
        <Icon name="sun" />
      </span>
    </Button>
  );
}
