import type { Finding } from '#app/platform/finding.ts';
import { type PillLook, StatusPill } from '#app/admin/frame/status-pill.tsx';
import styles from './dashboard-page.module.css';

const looks: Record<Finding['state'], { look: PillLook; word: string }> = {
  ok: { look: 'good', word: 'OK' },
  warning: { look: 'warn', word: 'Note' },
  problem: { look: 'bad', word: 'Problem' },
};

/** What was found when the page was made (P38). */
export function SystemStatus({ findings }: { findings: readonly Finding[] }) {
  return (
    <section className={styles.panel} aria-labelledby="system-status">
      <h2 id="system-status">System Status</h2>
      <ul className={styles.findings}>
        {findings.map(({ name, state, says, mend }) => (
          <li key={name}>
            <h3>{name}</h3>
            <StatusPill look={looks[state].look}>{looks[state].word}</StatusPill>
            <p>
              {says}
              {mend ? <span>{mend}</span> : null}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
