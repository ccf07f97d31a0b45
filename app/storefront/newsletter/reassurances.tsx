import { Icon } from '#app/ui/icon.tsx';
import styles from './reassurances.module.css';

const lines = ['No spam', 'Unsubscribe anytime', 'Free to join'];

/** The three lines under the newsletter form. */
export function Reassurances() {
  return (
    <ul className={styles.lines}>
      {lines.map((line) => (
        <li key={line}>
          <Icon name="check" size={16} />
          {line}
        </li>
      ))}
    </ul>
  );
}
