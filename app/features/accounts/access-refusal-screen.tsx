import { useLocation } from 'react-router';
import { buttonClass } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import type { AccessRefusal } from './access-refusal.ts';

/**
 * Explains why the admin is refused: signed out, no right, no two-factor, or too many changes.
 * Rendered within `main`.
 */
export function AccessRefusalScreen({
  isStaff = false,
  ...refusal
}: AccessRefusal & {
  /** Whether the refused user may open other screens of the admin. */
  isStaff?: boolean;
}) {
  const { pathname, search } = useLocation();
  const { title, says, ways } = wordsOf(refusal, pathname + search);
  const leadsOn = refusal.refused !== 'role';
  return (
    <>
      <title>{title}</title>
      <meta name="robots" content="noindex" />
      <MessagePanel
        icon={refusal.refused === 'haste' ? 'alert' : 'shield'}
        title={title}
        level={1}
        // Links load full pages, since the current page was refused.
        actions={Object.entries(ways).map(([label, href], at) => (
          <a
            key={href}
            className={buttonClass(leadsOn && at === 0 ? { variant: 'primary' } : {})}
            href={href}
          >
            {label}
          </a>
        ))}
      >
        <p>{isStaff && refusal.refused === 'role' ? ofOtherRoles : says}</p>
      </MessagePanel>
    </>
  );
}

const ofOtherRoles =
  'Your role does not include this screen. Ask the owner of the site if you need it.';

/** Returns the text and the links by label (`ways`) of a refusal. */
function wordsOf(
  refusal: AccessRefusal,
  here: string,
): { title: string; says: string; ways: Record<string, string> } {
  switch (refusal.refused) {
    case 'haste':
      return {
        title: 'Too Many Changes',
        says: `Your account sent too many changes within a minute. The last one was not saved; earlier ones were. Please try again in ${refusal.seconds} ${refusal.seconds === 1 ? 'second' : 'seconds'}.`,
        ways: { 'Back to the page': here },
      };
    case 'nobody':
      return {
        title: 'Authentication Required',
        says: 'Please sign in to access the admin panel.',
        ways: { 'Sign In': `/sign-in?returnTo=${encodeURIComponent(here)}` },
      };
    case 'factor':
      return {
        title: 'Two-Factor Required',
        says: 'Admin access requires two-factor. Set up an authenticator app to continue right away, or add a passkey and sign in with it.',
        ways: {
          'Set up an authenticator app': '/profile/two-factor',
          'Use a passkey': '/profile/passkeys',
        },
      };
    case 'role':
      return {
        title: 'Access Restricted',
        says: 'You do not have administrative privileges. Contact your administrator for access.',
        ways: { 'Back to Site': '/' },
      };
  }
}
