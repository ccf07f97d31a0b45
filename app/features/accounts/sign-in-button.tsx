import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'react-router';
import { buttonClass } from '#app/ui/button.tsx';
import styles from './sign-in-button.module.css';

const loadDialog = () => import('./auth-dialog.tsx');
const AuthDialog = lazy(async () => ({ default: (await loadDialog()).AuthDialog }));

/** Opens the dialog; without script it is the link to the page. */
export function SignInButton() {
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
