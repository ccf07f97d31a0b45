import { useLocation } from 'react-router';
import { buttonClass } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import type { AccessRefusal } from './access-refusal.ts';

/** The guard's two states (back office, section 2). */
export function AccessRefusalScreen({ refused }: AccessRefusal) {
  const { pathname, search } = useLocation();
  if (refused === 'nobody') {
    const signIn = `/sign-in?returnTo=${encodeURIComponent(pathname + search)}`;
    return (
      <main id="main">
        <title>Authentication Required</title>
        <meta name="robots" content="noindex" />
        <MessagePanel
          icon="shield"
          title="Authentication Required"
          level={1}
          actions={
            <a className={buttonClass({ look: 'primary' })} href={signIn}>
              Sign In
            </a>
          }
        >
          <p>Please sign in to access the admin panel.</p>
        </MessagePanel>
      </main>
    );
  }
  return (
    <main id="main">
      <title>Access Restricted</title>
      <meta name="robots" content="noindex" />
      <MessagePanel
        icon="shield"
        title="Access Restricted"
        level={1}
        actions={
          <a className={buttonClass()} href="/">
            Back to Site
          </a>
        }
      >
        <p>You do not have administrative privileges. Contact your administrator for access.</p>
      </MessagePanel>
    </main>
  );
}
