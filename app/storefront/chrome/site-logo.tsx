import { Link } from 'react-router';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import styles from './site-logo.module.css';

/** The site's name as its mark: the last word on the price tag. */
export function SiteLogo() {
  const { name } = useSite();
  const words = name.split(' ');
  const tag = words.pop();
  return (
    <Link to="/" className={styles.logo} aria-label={`${name} home`}>
      {words.length > 0 ? <span>{words.join(' ')}</span> : null}{' '}
      <span className={styles.tag}>{tag}</span>
    </Link>
  );
}
