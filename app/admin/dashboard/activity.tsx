import type { DayOfActivity } from '#app/features/desk/desk-queries.server.ts';
import { Link } from '#app/ui/link.tsx';
import { DayBars, DaysTable } from '../frame/day-bars.tsx';
import styles from './dashboard-page.module.css';

const series = [
  { name: 'clicks', title: 'Clicks to merchants' },
  { name: 'alertMails', title: 'Alert emails sent' },
  { name: 'imports', title: 'Import runs' },
] as const;

/** The last thirty days, as a bar chart and a table. */
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
      <DaysTable
        titles={series.map(({ title }) => title)}
        rows={days.map((day) => ({ day: day.day, counts: series.map(({ name }) => day[name]) }))}
      />
    </section>
  );
}
