import { ButtonLink } from '#app/ui/button.tsx';
import { Icon, type IconName } from '#app/ui/icon.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import styles from './fallback-home.module.css';

const places: { to: string; icon: IconName; label: string }[] = [
  { to: '/deals', icon: 'tag', label: 'Deals' },
  { to: '/categories', icon: 'filter', label: 'Categories' },
  { to: '/merchants', icon: 'store', label: 'Stores' },
  { to: '/blog', icon: 'book', label: 'Blog' },
];

/** A simplified home page, shown when the real one crashes. The page uses no database. */
export function FallbackHome() {
  const { name, tagline } = useSite();
  return (
    <div className={styles.page}>
      <h1>{name}</h1>
      <p className={styles.text}>{tagline}</p>
      <ul className={styles.places}>
        {places.map(({ to, icon, label }) => (
          <li key={to}>
            <ButtonLink to={to} isWide>
              <Icon name={icon} />
              {label}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
