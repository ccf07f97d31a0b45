import { type ReactNode, useRef } from 'react';
import { SignOutForm } from '#app/features/accounts/sessions/sign-out-form.tsx';
import { useLocation, useNavigation } from 'react-router';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { FailedActNote } from '#app/islands/failed-acts/failed-act-note.tsx';
import { Link } from '#app/ui/link.tsx';
import { ToastRegion } from '#app/ui/toast.tsx';
import { AdminIcon } from './admin-icon.tsx';
import { adminNav, currentLink } from './admin-nav.ts';
import styles from './admin-frame.module.css';
import { DemoBar } from './demo-bar.tsx';
import type { Flash } from './flash.server.ts';
import { FlashMessage } from './flash-message.tsx';
import { KeyboardHelp } from './keyboard-help.tsx';
import { FindDialog, FindLink } from '../find/find-dialog.tsx';
import { useScreenKeys } from './use-screen-keys.ts';

interface Staff {
  fullName: string;
  email: string;
  /** The URLs of screens that the user may open. */
  screens: readonly string[];
}

/** The layout of every admin screen, with a sidebar that is a drawer on narrow screens. */
export function AdminFrame({
  staff,
  flash,
  isDemo,
  children,
}: {
  staff: Staff | null;
  flash: Flash | null;
  /** Whether the site contains demo rows. */
  isDemo: boolean;
  children: ReactNode;
}) {
  const { name } = useSite();
  const isLoading = useNavigation().state !== 'idle';
  useScreenKeys();
  return (
    <div className={styles.frame}>
      <meta name="robots" content="noindex" />
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <header className={styles.bar}>
        <button
          type="button"
          className={styles.open}
          popoverTarget="admin-nav"
          aria-label="Open the menu"
        >
          <AdminIcon name="menu" />
        </button>
        <strong>{name} admin</strong>
      </header>
      <Sidebar siteName={name} staff={staff} />
      <main id="main" className={styles.main} tabIndex={-1} data-loading={isLoading || undefined}>
        {isDemo ? <DemoBar /> : null}
        <FlashMessage flash={flash} />
        <FailedActNote />
        {children}
      </main>
      <FindDialog />
      <KeyboardHelp />
      <ToastRegion />
    </div>
  );
}

function Sidebar({ siteName, staff }: { siteName: string; staff: Staff | null }) {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const current = currentLink(pathname);
  const menu = adminNav
    .map(({ title, links }) => ({
      title,
      links: links.filter(({ href }) => !staff || staff.screens.includes(href)),
    }))
    .filter(({ links }) => links.length > 0);

  // The drawer closes after navigation, since it would cover the new page.
  const close = () => {
    if (nav.current?.matches(':popover-open')) nav.current.hidePopover();
  };

  return (
    <nav ref={nav} id="admin-nav" popover="auto" className={styles.nav} aria-label="Admin">
      <Link to="/admin" className={styles.brand} onClick={close}>
        {siteName} <span>admin</span>
      </Link>
      <FindLink className={styles.link} onOpen={close} />
      {menu.map(({ title, links }) => (
        <div key={title} className={styles.group}>
          <h2>{title}</h2>
          <ul>
            {links.map(({ href, label, icon }) => (
              <li key={href}>
                <Link
                  to={href}
                  onClick={close}
                  className={styles.link}
                  aria-current={current?.href === href ? 'page' : undefined}
                >
                  <AdminIcon name={icon} size={18} />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div className={styles.foot}>
        {staff ? (
          <p className={styles.staff}>
            <span>{staff.fullName || 'Admin User'}</span>
            <span>{staff.email}</span>
          </p>
        ) : null}
        <a href="/" className={styles.link}>
          <AdminIcon name="arrow-right" size={18} />
          Back to Site
        </a>
        <SignOutForm />
      </div>
    </nav>
  );
}
