import type { RecentFigure } from '#app/features/desk/recent-days.server.ts';
import { Link } from '#app/ui/link.tsx';
import styles from './dashboard-page.module.css';

/** Statistics of today so far beside those of the two days before. Each links to its list. */
export function RecentDays({ figures }: { figures: readonly RecentFigure[] }) {
  if (figures.length === 0) return null;
  return (
    <section className={styles.panel} aria-labelledby="recent-days">
      <h2 id="recent-days">Since yesterday</h2>
      <table className={styles.recent}>
        <thead>
          <tr>
            <th scope="col">Days in UTC</th>
            <th scope="col">Today so far</th>
            <th scope="col">Yesterday</th>
            <th scope="col">Day before</th>
          </tr>
        </thead>
        <tbody>
          {figures.map(({ label, href, days: [today, yesterday, before] }) => (
            <tr key={label}>
              <th scope="row">
                <Link to={href}>{label}</Link>
              </th>
              <td>{today}</td>
              <td>{yesterday}</td>
              <td>{before}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
