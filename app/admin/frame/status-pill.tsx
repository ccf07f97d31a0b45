import styles from './status-pill.module.css';

export type PillVariant = 'good' | 'plain' | 'warn' | 'bad';

/** A status as a word, whose colour only repeats it. */
export function StatusPill({ variant, children }: { variant: PillVariant; children: string }) {
  return (
    <span className={styles.pill} data-variant={variant}>
      {children}
    </span>
  );
}
