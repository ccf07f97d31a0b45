import { Outlet } from 'react-router';
import { staffGuard } from '#app/features/accounts/staff-guard.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import type { Route } from './+types/admin-layout';
import styles from './admin-layout.module.css';

/** Before everything below it: pages, their data asked for alone, and posts. */
export const middleware: Route.MiddlewareFunction[] = [staffGuard];

/** Middleware runs only where something is loaded: without this, a page without a loader would not be guarded in the browser. */
export function loader() {
  return null;
}

const links = [{ href: '/admin/outbox', label: 'Mail outbox' }];

export default function AdminLayout() {
  const { name } = useSite();
  return (
    <>
      <meta name="robots" content="noindex" />
      <header className={styles.bar}>
        <strong>{name} admin</strong>
        <nav aria-label="Admin">
          <ul>
            {links.map(({ href, label }) => (
              <li key={href}>
                <a href={href}>{label}</a>
              </li>
            ))}
            <li>
              <a href="/">Back to Site</a>
            </li>
          </ul>
        </nav>
      </header>
      <main id="main" className={styles.main}>
        <Outlet />
      </main>
    </>
  );
}
