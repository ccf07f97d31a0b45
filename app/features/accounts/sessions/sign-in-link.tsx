import { useLocation } from 'react-router';
import { opens } from '#app/islands/island.tsx';
import { buttonClass } from '#app/ui/button.tsx';
import type { AuthDialog } from './auth-dialog.tsx';
import { useAccountFacts } from './viewer-context.tsx';
import styles from './sign-in-link.module.css';

/**
 * Renders a link that opens the dialog. Without JavaScript, or with a modifier key, it opens the
 * page.
 */
export function SignInLink() {
  const { pathname, search } = useLocation();
  const facts = useAccountFacts();
  const isFormPage =
    /^\/(?:sign-in|sign-up|logout|setup|reset-password|verify-email|confirm-address)/.test(
      pathname,
    );
  const here =
    isFormPage || pathname === '/' ? '' : `?returnTo=${encodeURIComponent(pathname + search)}`;
  return (
    <a
      href={`/sign-in${here}`}
      className={buttonClass({ variant: 'primary' }, styles.signIn)}
      {...(pathname.startsWith('/sign-in') ? {} : opens<typeof AuthDialog>('auth-dialog', facts))}
    >
      Sign In
    </a>
  );
}
