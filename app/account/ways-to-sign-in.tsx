import type { ReactNode } from 'react';
import { ButtonLink } from '#app/ui/button.tsx';
import { NarrowColumn } from '#app/ui/narrow-column.tsx';
import { PanelLink } from './account-panel.tsx';
import type { WaysSummary } from './summarise-ways.server.ts';
import styles from './profile-page.module.css';

const paths = {
  'two-factor': '/profile/two-factor',
  passkeys: '/profile/passkeys',
  providers: '/profile/providers',
} as const;

type Way = keyof typeof paths;

interface WayInWords {
  way: Way;
  title: string;
  text: string;
  /** The label of the link to the section. */
  label: string;
}

/** Describes each sign-in method other than the password, with a link to manage it. */
function describeWays(summary: WaysSummary): WayInWords[] {
  const { hasTwoFactor, passkeyCount, providers, hasProviders } = summary;
  const all: (WayInWords | null)[] = [
    {
      way: 'two-factor',
      title: 'Two-factor authentication',
      text: hasTwoFactor
        ? 'Signing in asks for a code from your authenticator app.'
        : 'Require a code from an authenticator app, so that a stolen password is not enough.',
      label: hasTwoFactor ? 'Manage' : 'Set it up',
    },
    {
      way: 'passkeys',
      title: 'Passkeys',
      text:
        passkeyCount === 0
          ? 'Sign in with your fingerprint, face or device PIN instead of a password.'
          : passkeyCount === 1
            ? 'One passkey can sign you in.'
            : `${passkeyCount} passkeys can sign you in.`,
      label: passkeyCount === 0 ? 'Add a passkey' : 'Manage passkeys',
    },
    hasProviders
      ? {
          way: 'providers',
          title: 'Sign-in providers',
          text:
            providers.length === 0
              ? 'Your account is not connected to another account yet.'
              : `${new Intl.ListFormat('en-US').format(providers)} can sign you in.`,
          label: 'Manage',
        }
      : null,
  ];
  return all.filter((one) => one !== null);
}

/** Renders a section for each way: the `current` one with its forms, the others with a link. */
export function WaySections({
  summary,
  current,
  children,
}: {
  summary: WaysSummary;
  current?: Way;
  children?: ReactNode;
}) {
  return describeWays(summary).map(({ way, title, text, label }) => (
    <section key={way} className={styles.section} aria-labelledby={`ways-${way}`}>
      <h2 id={`ways-${way}`}>{title}</h2>
      {way === current ? (
        <div className={styles.current}>{children}</div>
      ) : (
        <>
          <p>{text}</p>
          <ButtonLink to={paths[way]}>{label}</ButtonLink>
        </>
      )}
    </section>
  ));
}

/**
 * Renders all sign-in methods. Each has its own URL that opens its section, so the page asks
 * for the password once and works without JavaScript.
 */
export function WaysToSignIn({
  summary,
  current,
  children,
}: {
  summary: WaysSummary;
  current: Way;
  children: ReactNode;
}) {
  return (
    <NarrowColumn title="Ways to sign in">
      <div className={styles.group}>
        {/* Shows the section of an address that was opened directly, even if no provider is
            configured. */}
        <WaySections
          summary={{ ...summary, ...(current === 'providers' && { hasProviders: true }) }}
          current={current}
        >
          {children}
        </WaySections>
        <section className={styles.section} aria-labelledby="ways-sessions">
          <h2 id="ways-sessions">Where you are signed in</h2>
          <p>See the browsers that are signed in to your account, and sign them out.</p>
          <ButtonLink to="/profile#sessions">Manage sessions</ButtonLink>
        </section>
      </div>
      <PanelLink to="/profile">Back to your profile</PanelLink>
    </NarrowColumn>
  );
}
