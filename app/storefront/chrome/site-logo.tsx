import { useSite } from '#app/features/site-settings/site-context.tsx';
import { Link } from '#app/ui/link.tsx';
import styles from './site-logo.module.css';

/** The price line beside the site's name, or the owner's picture. */
export function SiteLogo() {
  const { name, logoUrl } = useSite();
  return (
    <Link to="/" className={styles.logo} aria-label={`${name} home`}>
      {logoUrl ? (
        <img className={styles.picture} src={logoUrl} alt="" height={36} />
      ) : (
        <>
          <svg className={styles.line} viewBox="4 10 56 44" width={28} height={22} aria-hidden>
            <path d="M9 19h15v14h14v12h10" />
            <circle cx={51} cy={45} r={7.5} />
          </svg>
          <span>{name}</span>
        </>
      )}
    </Link>
  );
}
