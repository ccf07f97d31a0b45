import type { ShownProof } from './judge-price.ts';
import styles from './proof-line.module.css';

/**
 * Renders how the price compares with its own history, as a sparkline and a short text. The second
 * row does not make a card taller.
 */
export function ProofLine({ proof: { kind, text, usual, line, isGood } }: { proof: ShownProof }) {
  return (
    <p
      className={`line small gap-2 ${styles.proof}`}
      data-kind={kind}
      data-good={isGood || undefined}
    >
      {line ? (
        <svg
          className={`rigid ${styles.spark}`}
          viewBox="0 0 64 18"
          width={64}
          height={18}
          aria-hidden="true"
        >
          <path d={line} />
        </svg>
      ) : null}
      {usual === null ? (
        text
      ) : (
        <span className={styles.words}>
          {text} <span className={styles.usual}>{usual}</span>
        </span>
      )}
    </p>
  );
}
