import { useSite } from '#app/features/site-settings/site-context.tsx';
import { Link } from '#app/ui/link.tsx';
import styles from './site-logo.module.css';

/** The site's name as its logo, with the last word on the price tag, or the owner's picture. */
export function SiteLogo() {
  const { name, logoUrl } = useSite();
  const words = name.split(' ');
  const tag = words.pop();
  return (
    <Link to="/" className={styles.logo} aria-label={`${name} home`}>
      {logoUrl ? (
        <img className={styles.picture} src={logoUrl} alt="" height={36} />
      ) : (
        <>
          {words.length > 0 ? <span>{words.join(' ')}</span> : null}{' '}
          <span className={styles.tag}>{tag}</span>
        </>
      )}
    </Link>
  );
}
