import { iconAddress } from '#app/features/site-settings/brand/icon-files.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { Link } from '#app/ui/link.tsx';
import { PriceMark } from '#app/ui/price-mark.tsx';
import styles from './site-logo.module.css';

/** The price line beside the site's name, or the owner's picture. */
export function SiteLogo() {
  const { name, logoUrl, logoDarkUrl, brand } = useSite();
  return (
    <Link to="/" className={styles.logo} aria-label={`${name} home`}>
      {logoUrl ? (
        <>
          <img
            className={logoDarkUrl ? `${styles.picture} ${styles.onLight}` : styles.picture}
            src={logoUrl}
            alt=""
            height={36}
          />
          {logoDarkUrl ? (
            // A lazily loaded picture is not fetched while its theme is inactive.
            <img
              className={`${styles.picture} ${styles.onDark}`}
              src={logoDarkUrl}
              alt=""
              height={36}
              loading="lazy"
            />
          ) : null}
        </>
      ) : (
        <>
          {brand?.iconHash ? (
            <img
              className={styles.icon}
              src={iconAddress(brand.iconHash, '192')}
              alt=""
              width={28}
              height={28}
            />
          ) : (
            <PriceMark />
          )}
          <span>{name}</span>
        </>
      )}
    </Link>
  );
}
