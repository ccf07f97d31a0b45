import { Link } from '#app/ui/link.tsx';
import styles from './affiliate-disclosure.module.css';

/** The disclosure before the first affiliate link of every page, in plain language. */
export function AffiliateDisclosure() {
  return (
    <aside className={styles.band} aria-label="Affiliate disclosure">
      <p className={styles.text}>
        We may earn a commission when you buy through our links.{' '}
        <Link to="/how-we-rank">How we rank and earn</Link>
      </p>
    </aside>
  );
}
