import { useSite } from '#app/features/site-settings/site-context.tsx';
import { Link } from '#app/ui/link.tsx';
import { PriceMark } from '#app/ui/price-mark.tsx';
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
          <PriceMark />
          <span>{name}</span>
        </>
      )}
    </Link>
  );
}
