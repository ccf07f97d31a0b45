import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { Button, buttonClass } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { useViewer, type Viewer } from './viewer-context.tsx';
import styles from './account-menu.module.css';

const loadDialog = () => import('./auth-dialog.tsx');
const AuthDialog = lazy(async () => ({ default: (await loadDialog()).AuthDialog }));

/** In the header: Sign In, or who is signed in and what they may open. */
export function AccountMenu() {
  const viewer = useViewer();
  return viewer ? <UserMenu viewer={viewer} /> : <SignInButton />;
}

function SignInButton() {
  const { key, pathname, search } = useLocation();
  // Open on this page only: going on to another one closes it.
  const [openOn, setOpenOn] = useState<string | null>(null);
  const isFormPage = /^\/(?:sign-in|sign-up|logout|setup|reset-password|verify-email)/.test(
    pathname,
  );
  const here =
    isFormPage || pathname === '/' ? '' : `?returnTo=${encodeURIComponent(pathname + search)}`;
  return (
    <>
      <a
        href={`/sign-in${here}`}
        className={buttonClass({ look: 'primary' }, styles.signIn)}
        onPointerEnter={() => void loadDialog()}
        onFocus={() => void loadDialog()}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || pathname.startsWith('/sign-in'))
            return;
          event.preventDefault();
          setOpenOn(key);
        }}
      >
        Sign In
      </a>
      {openOn === key ? (
        <Suspense>
          <AuthDialog onClose={() => setOpenOn(null)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** A `details`, so it opens without script too. */
function UserMenu({ viewer: { email, role } }: { viewer: Viewer }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const navigate = useNavigate();
  const { key } = useLocation();

  useEffect(() => {
    if (menu.current) menu.current.open = false;
  }, [key]);

  useEffect(() => {
    const closeOutside = (event: PointerEvent) => {
      const { current } = menu;
      if (current?.open && !current.contains(event.target as Node)) current.open = false;
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, []);

  return (
    <details
      ref={menu}
      className={styles.menu}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !menu.current?.open) return;
        menu.current.open = false;
        menu.current.querySelector('summary')?.focus();
      }}
    >
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
        <form
          method="post"
          action="/logout"
          onSubmit={(event) => {
            event.preventDefault();
            void navigate('/logout', { state: { isAsked: true } });
          }}
        >
          <Button type="submit" isWide>
            Sign Out
          </Button>
        </form>
      </div>
    </details>
  );
}
