import { Link } from 'react-router';
import type { AttentionItem } from '#app/features/desk/describe-attention.ts';
import { Icon } from '#app/ui/icon.tsx';
import styles from './dashboard-page.module.css';

/** What waits for a person. Nothing, where nothing does. */
export function Attention({ items }: { items: readonly AttentionItem[] }) {
  if (items.length === 0) return null;
  return (
    <section className={styles.attention} aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      <ul>
        {items.map(({ says, href, isUrgent }) => (
          <li key={says} data-urgent={isUrgent || undefined}>
            <Link to={href}>
              <Icon name={isUrgent ? 'alert' : 'info'} size={18} />
              <span>{says}</span>
              <Icon name="arrow-right" size={16} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
