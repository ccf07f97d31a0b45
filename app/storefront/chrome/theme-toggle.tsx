import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { presentTheme, showTheme } from '#app/ui/theme.ts';
import styles from './theme-toggle.module.css';

/** Both icons are in the page and CSS shows the right one, so that a cached page suits either theme. */
export function ThemeToggle() {
  return (
    <Button
      isIcon
      data-needs-js
      aria-label="Switch between light and dark theme"
      onClick={switchTheme}
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

/** Shown at once. The code that remembers it loads only when the switch is used. */
function switchTheme(): void {
  const theme = presentTheme() === 'dark' ? 'light' : 'dark';
  showTheme(theme);
  void import('./keep-theme.ts').then(({ keepTheme }) => keepTheme(theme));
}
