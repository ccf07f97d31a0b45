import { describeProof, type PriceProof } from './price-proof.ts';
import { sparklineHeight, sparklinePath, sparklineWidth } from './sparkline.ts';
import styles from './proof-line.module.css';

/** Where the price stands in its own history, in a line and a few words. */
export function ProofLine({
  proof,
  deal,
  now,
  currency,
}: {
  proof: PriceProof;
  deal: { sale_price: number; availability: string };
  now: Date;
  currency: string;
}) {
  const path = sparklinePath(proof.points, now);
  const { kind, text } = describeProof(proof, deal, now, currency);
  return (
    <p className={styles.proof} data-kind={kind}>
      {path ? (
        <svg
          className={styles.spark}
          viewBox={`0 0 ${sparklineWidth} ${sparklineHeight}`}
          width={sparklineWidth}
          height={sparklineHeight}
          aria-hidden="true"
        >
          <path d={path} />
        </svg>
      ) : null}
      {text}
    </p>
  );
}
