import { lazy, Suspense } from 'react';
import { useLocation } from 'react-router';
import { buttonClass } from '#app/ui/button.tsx';
import styles from './sign-in-button.module.css';

const loadDialog = () => import('./auth-dialog.tsx');
const AuthDialog = lazy(async () => ({ default: (await loadDialog()).AuthDialog }));

/** Opens the dialog; without scripts, or with a modifier key, it is a link to the page. */
export function SignInButton({ onOpen }: { onOpen: () => void }) {
  const { pathname, search } = useLocation();
  const isFormPage = /^\/(?:sign-in|sign-up|logout|setup|reset-password|verify-email)/.test(
    pathname,
  );
  const here =
    isFormPage || pathname === '/' ? '' : `?returnTo=${encodeURIComponent(pathname + search)}`;
  return (
    <a
      href={`/sign-in${here}`}
      className={buttonClass({ look: 'primary' }, styles.signIn)}
      onPointerEnter={() => void loadDialog()}
      onFocus={() => void loadDialog()}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || pathname.startsWith('/sign-in'))
          return;
        event.preventDefault();
        onOpen();
      }}
    >
      Sign In
    </a>
  );
}

/** Beside the button, not inside: it reports the sign-in when the button is already gone. */
export function SignInDialog({ onClose }: { onClose: () => void }) {
  return (
    <Suspense>
      <AuthDialog onClose={onClose} />
    </Suspense>
  );
}
