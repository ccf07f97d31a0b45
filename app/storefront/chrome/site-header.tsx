import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import { SearchBox } from '#app/features/search/search-box.tsx';
import { Icon } from '#app/ui/icon.tsx';
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

/** The visitor's own pages are only in the menu: where there is room, the header's tools lead to them. */
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
          <SearchBox id="header-search" />
        </div>
        <div className={styles.tools}>
          <ThemeToggle />
          <AccountTools />
          <MobileMenu />
        </div>
      </div>
    </header>
  );
}

/** Opens without script too, since it is a `details`; following a link closes it. */
function MobileMenu() {
  const viewer = useViewer();
  const menu = useRef<HTMLDetailsElement>(null);
  const { key } = useLocation();

  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !menu.current?.open) return;
      menu.current.open = false;
      menu.current.querySelector('summary')?.focus();
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, []);

  // A new key remounts the menu closed: that is how following a link closes it.
  return (
    <details ref={menu} key={key} className={styles.menu}>
      <summary className={styles.menuButton} aria-label="Menu">
        <span className={styles.whenClosed}>
          <Icon name="menu" />
        </span>
        <span className={styles.whenOpen}>
          <Icon name="close" />
        </span>
      </summary>
      <div className={styles.sheet}>
        <SearchBox id="menu-search" label="Search from the menu" />
        <nav className={styles.sheetNav} aria-label="Menu">
          <NavigationLinks shown={viewer ? [...links, ...ownLinks] : links} />
        </nav>
      </div>
    </details>
  );
}

function NavigationLinks({ shown }: { shown: typeof links }) {
  return (
    <ul>
      {shown.map(({ to, label }) => (
        <li key={to}>
          <NavLink to={to} end={to === '/'} prefetch="intent">
            {label}
          </NavLink>
        </li>
      ))}
    </ul>
  );
}
