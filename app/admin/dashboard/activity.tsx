import type { DayOfActivity } from '#app/features/desk/desk-queries.server.ts';
import styles from './dashboard-page.module.css';

const series = [
  { name: 'clicks', title: 'Clicks to merchants' },
  { name: 'alertMails', title: 'Alert mails sent' },
  { name: 'imports', title: 'Import runs' },
] as const;

/** The last thirty days, as bars and as a table. */
export function Activity({ days }: { days: readonly DayOfActivity[] }) {
  return (
    <section className={styles.activity} aria-labelledby="activity">
      <h2 id="activity">The last 30 days</h2>
      <div className={styles.charts}>
        {series.map(({ name, title }) => (
          <ActivityBars
            key={name}
            title={title}
            days={days.map((day) => ({ day: day.day, count: day[name] }))}
          />
        ))}
      </div>
      <details className={styles.asTable}>
        <summary>Show as table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              {series.map(({ name, title }) => (
                <th key={name} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <tr key={day.day}>
                <th scope="row">{day.day}</th>
                {series.map(({ name }) => (
                  <td key={name}>{day[name].toLocaleString('en-US')}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

const none = { day: '', count: 0 };
type DayCount = typeof none;

const height = 56;
const step = 10;
const barWidth = 7;

/** One bar per day, drawn by the server; the label says what the bars show. */
function ActivityBars({ title, days }: { title: string; days: readonly DayCount[] }) {
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const most = days.reduce((best, day) => (day.count > best.count ? day : best), none);
  return (
    <figure className={styles.chart}>
      <figcaption>
        <span>{title}</span>
        <strong>{total.toLocaleString('en-US')}</strong>
      </figcaption>
      <svg
        viewBox={`0 0 ${days.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={describeBars(title, total, most)}
      >
        {days.map(({ day, count }, at) => {
          const tall =
            most.count === 0 ? 0 : Math.max(count > 0 ? 2 : 0, (count / most.count) * height);
          return (
            <g key={day}>
              <rect x={at * step} y={height - 1} width={barWidth} height={1} data-base />
              <rect x={at * step} y={height - tall} width={barWidth} height={tall}>
                <title>{`${day}: ${count.toLocaleString('en-US')}`}</title>
              </rect>
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

function describeBars(title: string, total: number, most: DayCount): string {
  if (total === 0) return `${title}: none in the last 30 days`;
  const peak = `most on ${most.day}, ${most.count.toLocaleString('en-US')}`;
  return `${title}: ${total.toLocaleString('en-US')} in the last 30 days, ${peak}`;
}
