import type { StoreCheck } from '#app/features/prices/discount-check.ts';
import styles from './store-lows.module.css';

const height = 48;
/** samples; a month with fewer shows no share */
const fewest = 50;

/** A calendar of lows: the months in which the store's deals had their lowest price of 90 days. */
export function StoreLows({ lows, name }: { lows: StoreCheck['lows']; name: string }) {
  if (lows.length === 0) return null;
  const most = Math.max(0.01, ...lows.map(shareOf));
  return (
    <div className={styles.lows}>
      <h3>Lows by month</h3>
      <p>
        How many live deals of {name} were at their lowest price in 90 days, after higher ones, on
        the 5th, 15th and 25th of each month.
      </p>
      <ol>
        {lows.map((low) => (
          <li key={low.month}>
            <span className={styles.share}>
              {low.deals < fewest
                ? `${low.at_low} of ${low.deals}`
                : `${Math.round(shareOf(low) * 100)}%`}
            </span>
            <svg viewBox={`0 0 10 ${height}`} preserveAspectRatio="none" aria-hidden="true">
              <rect {...barOf(shareOf(low) / most)} width="10" />
            </svg>
            <time dateTime={low.month}>{monthName.format(new Date(`${low.month}-15`))}</time>
          </li>
        ))}
      </ol>
    </div>
  );
}

const monthName = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });

function shareOf({ deals, at_low }: StoreCheck['lows'][number]): number {
  return deals === 0 ? 0 : at_low / deals;
}

/** Returns a bar from the bottom up. Zero is a line at the bottom. */
function barOf(part: number): { y: number; height: number } {
  const tall = Math.max(1, Math.round(part * height));
  return { y: height - tall, height: tall };
}
