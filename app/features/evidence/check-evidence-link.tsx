import styles from './check-evidence-link.module.css';

/**
 * Renders a link that verifies a deal's prices in the browser. Without JavaScript, an explanation
 * is opened.
 */
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
