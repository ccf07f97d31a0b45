import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { buttonClass } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { isStaff } from '../policy.ts';
import type { Viewer } from './viewer-context.tsx';
import { SignOutForm } from './sign-out-form.tsx';
import styles from './user-menu.module.css';

/** Who is signed in and what they may open. A `details`, so that it works without scripts too. */
export function UserMenu({ viewer: { email, role } }: { viewer: Viewer }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const { key } = useLocation();

  useEffect(() => {
    const close = () => {
      if (menu.current) menu.current.open = false;
    };
    const closeOutside = (event: PointerEvent) => {
      if (event.target instanceof Node && !menu.current?.contains(event.target)) close();
    };
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !menu.current?.open) return;
      close();
      menu.current.querySelector('summary')?.focus();
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('keydown', closeByKey);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('keydown', closeByKey);
    };
  }, []);

  // Following a link changes the key, which remounts the menu closed.
  return (
    <details ref={menu} key={key} className={styles.menu}>
      <summary className={buttonClass({}, styles.summary)}>
        <Icon name="user" />
        <span className={styles.name}>{email.split('@')[0]}</span>
      </summary>
      <div className={styles.sheet}>
        <p className={styles.email}>{email}</p>
        <p className={styles.role}>Role: {role}</p>
        <Link to="/profile" className={styles.item}>
          Profile
        </Link>
        {isStaff(role) ? (
          <Link to="/admin" className={styles.item}>
            Admin Panel
          </Link>
        ) : null}
        <SignOutForm />
      </div>
    </details>
  );
}
