import type { DayOfActivity } from '#app/features/desk/desk-queries.server.ts';
import { Link } from '#app/ui/link.tsx';
import { DayBars } from '../frame/day-bars.tsx';
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
      <p className={styles.more}>
        <Link to="/admin/clicks">Clicks by store, category, feed and deal</Link>
      </p>
      <div className={styles.charts}>
        {series.map(({ name, title }) => (
          <DayBars
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
