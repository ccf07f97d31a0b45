import { Button } from '#app/ui/button.tsx';
import { Icon, type IconName } from '#app/ui/icon.tsx';
import styles from './density-toggle.module.css';

/**
 * Switches a list between large and small cards. Both labels are in the page, and CSS shows the
 * right one, so that one cached page serves both choices.
 */
export function DensityToggle() {
  return (
    <Button isIcon className={styles.toggle} data-needs-js data-act="density">
      <Choice className={styles.whenComfortable} icon="rows" name="Switch to compact view" />
      <Choice className={styles.whenCompact} icon="grid" name="Switch to comfortable view" />
    </Button>
  );
}

function Choice({
  className,
  icon,
  name,
}: {
  className: string | undefined;
  icon: IconName;
  name: string;
}) {
  return (
    <span className={className} title={name}>
      <Icon name={icon} />
      <span className="visually-hidden">{name}</span>
    </span>
  );
}
