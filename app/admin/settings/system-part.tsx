import { Link } from 'react-router';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import type { SystemInfo } from '#app/features/desk/read-system-info.server.ts';
import { fullTime } from '#app/platform/time-words.ts';
import styles from './settings-page.module.css';

/** System Info, measured (P38). */
export function SystemPart({ info }: { info: SystemInfo }) {
  const { timeZone } = useSite();
  const rows = [
    ['Environment', info.environment],
    ['Build', info.builtAt ? fullTime(info.builtAt, timeZone) : 'Development'],
    ['Version', info.version],
    ['Node', info.node],
    ['Database', info.database],
    ['Link checks', info.checksLinks ? 'On' : 'Off, by LINK_CHECKS'],
  ] as const;
  return (
    <section className={styles.part} aria-labelledby="system">
      <h2 id="system">System Info</h2>
      <dl className={styles.facts}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p>
        How it fares stands under System Status on the <Link to="/admin">dashboard</Link>.
      </p>
    </section>
  );
}
