import type { SiteFigure } from '#app/features/site-settings/site-figures.server.ts';
import styles from './stats-band.module.css';

/** The site's statistics, unless the owner turned them off. */
export function StatsBand({ figures }: { figures: SiteFigure[] }) {
  if (figures.length === 0) return null;
  return (
    <section aria-label="The site in figures">
      <dl className={styles.band}>
        {figures.map(({ value, label }) => (
          <div key={label} className={styles.figure}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
