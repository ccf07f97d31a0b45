import type { MovedPart } from '#app/features/moved-prices/prices-of-deal.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { shortDate } from '#app/platform/time-words.ts';
import { Link } from '#app/ui/link.tsx';
import { ConfirmAct } from '../frame/confirm-act.tsx';
import styles from './deal-form.module.css';

/** Lists the prices of a deal from other trackers, with a button that removes them. */
export function MovedParts({ parts }: { parts: MovedPart[] }) {
  if (parts.length === 0) return null;
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  return (
    <section className={styles.clicks} aria-labelledby="moved-prices">
      <h2 id="moved-prices">Prices from other trackers</h2>
      <p className={styles.sub}>
        Not seen by us. Only the chart shows them; lows, usual prices, checks and alerts never use
        them.
      </p>
      <ul className={styles.lines}>
        {parts.map(({ moveId, file, source, count: some, from, to }) => (
          <li key={`${moveId} ${source}`}>
            <strong>{source}</strong>
            <span className={styles.sub}>
              {countNoun(some, 'price')}, {dayText(from)} to {dayText(to)}, from{' '}
              <Link to={`/admin/move-in/price-histories/${moveId}`}>{file}</Link>
            </span>
          </li>
        ))}
      </ul>
      <div>
        <ConfirmAct
          label="Remove these prices"
          question={`Remove ${countNoun(count, 'price')} from other trackers?`}
          detail="Our own price log stays as it is. Importing the file again adds them again."
          confirmLabel="Remove"
          fields={{ intent: 'remove-moved-prices' }}
        />
      </div>
    </section>
  );
}

const dayText = (day: string) => shortDate(new Date(`${day}T00:00:00Z`), 'UTC');
