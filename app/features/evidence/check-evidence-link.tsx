import styles from './check-evidence-link.module.css';

/** Offers to verify a deal's prices in the browser. Without JavaScript the link explains how. */
export function CheckEvidenceLink({ dealId }: { dealId: number }) {
  return (
    <p className={styles.check} data-no-print>
      <a href="/evidence" data-act="check-evidence" data-deal={dealId}>
        Check this evidence
      </a>
      <span role="status" />
    </p>
  );
}
