import type { ShownProof } from './judge-price.ts';
import styles from './proof-line.module.css';

/** Where the price stands in its own history, in a line and a few words. */
export function ProofLine({ proof: { kind, text, line } }: { proof: ShownProof }) {
  return (
    <p className={styles.proof} data-kind={kind}>
      {line ? (
        <svg className={styles.spark} viewBox="0 0 64 18" width={64} height={18} aria-hidden="true">
          <path d={line} />
        </svg>
      ) : null}
      {text}
    </p>
  );
}
