import { buttonClass } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { isStaff } from '../policy.ts';
import { Link } from '#app/ui/link.tsx';
import type { Viewer } from './viewer-context.tsx';
import { SignOutForm } from './sign-out-form.tsx';
import styles from './user-menu.module.css';

/** Renders the signed-in user's menu as a `details`, so that it works without JavaScript. */
export function UserMenu({ viewer: { email, role } }: { viewer: Viewer }) {
  return (
    <details data-menu className={styles.menu}>
      <summary className={buttonClass({}, styles.summary)}>
        <Icon name="user" />
        <span className={styles.name}>{email.split('@')[0]}</span>
      </summary>
      <div className={styles.sheet}>
        <p className="strong anywhere">{email}</p>
        <p className="small">Role: {role}</p>
        <Link to="/for-you" className={styles.item}>
          For You
        </Link>
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
