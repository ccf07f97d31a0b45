import styles from './status-pill.module.css';

export type PillLook = 'good' | 'plain' | 'warn' | 'bad';

/** A status as a word, whose colour only repeats it. */
export function StatusPill({ look, children }: { look: PillLook; children: string }) {
  return (
    <span className={styles.pill} data-look={look}>
      {children}
    </span>
  );
}
