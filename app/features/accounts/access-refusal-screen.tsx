import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { buttonClass } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import type { AccessRefusal } from './access-refusal.ts';

/**
 * The guard's two states (back office, section 2), that of staff who lack the second step the owner asks for, and that of
 * somebody who changes things faster than people can. Stands within a page's `main`.
 */
export function AccessRefusalScreen(refusal: AccessRefusal) {
  const { pathname, search } = useLocation();
  const here = pathname + search;
  switch (refusal.refused) {
    case 'haste':
      return (
        <Refusal
          title="Too Many Changes"
          icon="alert"
          actions={<Way href={here} label="Back to the page" isMain />}
        >
          Your account has sent very many changes within a minute. This last one was not made; those
          before it were. Please try again in {refusal.seconds}{' '}
          {refusal.seconds === 1 ? 'second' : 'seconds'}.
        </Refusal>
      );
    case 'nobody':
      return (
        <Refusal
          title="Authentication Required"
          actions={
            <Way href={`/sign-in?returnTo=${encodeURIComponent(here)}`} label="Sign In" isMain />
          }
        >
          Please sign in to access the admin panel.
        </Refusal>
      );
    case 'factor':
      return (
        <Refusal
          title="Second Step Required"
          actions={
            <>
              <Way href="/profile/two-factor" label="Set up a code" isMain />
              <Way href="/profile/passkeys" label="Use a passkey" />
            </>
          }
        >
          This site opens its back office only to staff who sign in with a code of an authenticator
          app or with a passkey. With a code set up you can go on at once; with a passkey, sign in
          with it once more.
        </Refusal>
      );
    case 'role':
      return (
        <Refusal title="Access Restricted" actions={<Way href="/" label="Back to Site" />}>
          You do not have administrative privileges. Contact your administrator for access.
        </Refusal>
      );
  }
}

function Refusal({
  title,
  icon = 'shield',
  actions,
  children,
}: {
  title: string;
  icon?: 'shield' | 'alert';
  actions: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <title>{title}</title>
      <meta name="robots" content="noindex" />
      <MessagePanel icon={icon} title={title} level={1} actions={actions}>
        <p>{children}</p>
      </MessagePanel>
    </>
  );
}

/** A whole load: the page behind it has been refused to this one. */
function Way({ href, label, isMain = false }: { href: string; label: string; isMain?: boolean }) {
  return (
    <a className={buttonClass(isMain ? { look: 'primary' } : {})} href={href}>
      {label}
    </a>
  );
}
