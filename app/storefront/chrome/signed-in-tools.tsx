import { UserMenu } from '#app/features/accounts/sessions/user-menu.tsx';
import type { Viewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import { buttonClass } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Link } from '#app/ui/link.tsx';
import styles from './signed-in-tools.module.css';

/** The header's tools for signed-in visitors: favorites, price alerts and the user menu. */
export function SignedInTools({ viewer }: { viewer: Viewer }) {
  return (
    <>
      <Link
        to="/favorites"
        className={buttonClass({ isIcon: true }, styles.link)}
        aria-label="Favorites"
      >
        <Icon name="heart" />
      </Link>
      <Link
        to="/price-alerts"
        className={buttonClass({ isIcon: true }, styles.link)}
        aria-label="Price alerts"
      >
        <Icon name="bell" />
      </Link>
      <UserMenu viewer={viewer} />
    </>
  );
}
