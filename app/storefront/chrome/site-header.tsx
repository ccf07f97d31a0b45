import { useLocation } from 'react-router';
import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import { type MenuLink, menusOf } from '#app/features/site-settings/menus.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { SearchIsland } from '#app/features/search/search-island.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Link } from '#app/ui/link.tsx';
import { AccountTools } from './account-tools.tsx';
import { SiteLogo } from './site-logo.tsx';
import { ThemeToggle } from './theme-toggle.tsx';
import styles from './site-header.module.css';

/** The visitor's own links, for the menu only. Wide screens show them as header tools. */
const ownLinks: readonly MenuLink[] = [
  { href: '/for-you', label: 'For You' },
  { href: '/favorites', label: 'My Favorites' },
  { href: '/price-alerts', label: 'Price Alerts' },
];

export function SiteHeader() {
  const { header: links } = menusOf(useSite().menus);
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <SiteLogo />
        <nav className={styles.nav} aria-label="Main">
          <NavigationLinks shown={links} />
        </nav>
        <div className={styles.search}>
          <SearchIsland id="header-search" />
        </div>
        <div className="line gap-2">
          <ThemeToggle />
          <AccountTools />
          <MobileMenu />
        </div>
      </div>
    </header>
  );
}

/** The menu is a `details`, so that it opens without JavaScript. */
function MobileMenu() {
  const viewer = useViewer();
  const { header: links } = menusOf(useSite().menus);
  return (
    <details data-menu className={styles.menu}>
      <summary className={styles.menuButton} aria-label="Menu">
        <span className={styles.whenClosed}>
          <Icon name="menu" />
        </span>
        <span className={styles.whenOpen}>
          <Icon name="close" />
        </span>
      </summary>
      <div className={styles.sheet}>
        <SearchIsland id="menu-search" label="Search from the menu" />
        <nav className={styles.sheetNav} aria-label="Menu">
          <NavigationLinks shown={viewer ? [...links, ...ownLinks] : links} />
        </nav>
      </div>
    </details>
  );
}

function NavigationLinks({ shown }: { shown: readonly MenuLink[] }) {
  const { pathname } = useLocation();
  const isHere = (to: string) => pathname === to || (to !== '/' && pathname.startsWith(`${to}/`));
  return (
    <ul>
      {shown.map(({ href, label }) => (
        <li key={href}>
          <Link to={href} aria-current={isHere(href) ? 'page' : undefined}>
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
