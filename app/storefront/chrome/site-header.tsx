import { useLocation } from 'react-router';
import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import { SearchIsland } from '#app/features/search/search-island.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Link } from '#app/ui/link.tsx';
import { AccountTools } from './account-tools.tsx';
import { SiteLogo } from './site-logo.tsx';
import { ThemeToggle } from './theme-toggle.tsx';
import styles from './site-header.module.css';

const headerLinks = {
  links: [
    { to: '/', label: 'Home' },
    { to: '/deals', label: 'Deals' },
    { to: '/categories', label: 'Categories' },
    { to: '/merchants', label: 'Stores' },
    { to: '/blog', label: 'Blog' },
  ],
  ownLinks: [
    { to: '/favorites', label: 'My Favorites' },
    { to: '/price-alerts', label: 'Price Alerts' },
  ],
};

/** The visitor's own links, for the menu only. Wide screens show them as header tools. */
const { links, ownLinks } = headerLinks;

export function SiteHeader() {
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

function NavigationLinks({ shown }: { shown: typeof links }) {
  const { pathname } = useLocation();
  const isHere = (to: string) => pathname === to || (to !== '/' && pathname.startsWith(`${to}/`));
  return (
    <ul>
      {shown.map(({ to, label }) => (
        <li key={to}>
          <Link to={to} aria-current={isHere(to) ? 'page' : undefined}>
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
