import type { ReactNode } from 'react';
import type { Route } from './+types/profile-page';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import {
  describeIdentityRefusal,
  identityWays,
  isIdentityRefusal,
} from '#app/features/accounts/confirm-identity.server.ts';
import { NameField, NewPasswordField } from '#app/features/accounts/passwords/credential-forms.tsx';
import { requireUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { listOwnSessions } from '#app/features/accounts/sessions/session-queries.server.ts';
import { IdentityField } from '#app/features/accounts/identity-field.tsx';
import { describeBrowser } from '#app/features/accounts/sessions/describe-browser.ts';
import { findPreferencesPath } from '#app/features/newsletter/preferences.server.ts';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { findSuspension } from '#app/platform/mail/suspension-queries.server.ts';
import { Button } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { NarrowColumn } from '#app/ui/narrow-column.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';
import { PostButton } from '#app/ui/act-form.tsx';
import { accountMeta, PanelForm, useMoments } from './account-panel.tsx';
import { actOnProfile } from './act-on-profile.server.ts';
import { SendLinkAgain } from './send-link-again.tsx';
import { summariseWays } from './summarise-ways.server.ts';
import { SuspendedAddressNotice } from './suspended-address-notice.tsx';
import { WaySections } from './ways-to-sign-in.tsx';
import styles from './profile-page.module.css';

export async function loader({ context, request }: Route.LoaderArgs) {
  const user = requireUser(context, request);
  const services = appServices(context);
  const { db } = services;
  const sessions = await listOwnSessions(db, user.id);
  const refused = new URL(request.url).searchParams.get('export');
  // Anyone can register another person's email, so the email must be verified.
  const preferencesPath = user.emailVerified ? await findPreferencesPath(db, user.email) : null;
  return {
    fullName: user.fullName,
    email: user.email,
    role: user.role,
    emailVerified: user.emailVerified,
    suspension: await findSuspension(db, user.email),
    preferencesPath,
    summary: await summariseWays(services, user),
    ways: await identityWays(services, user),
    exportError: isIdentityRefusal(refused) ? describeIdentityRefusal(refused) : undefined,
    sessions: sessions.map(({ userAgent, ...session }) => ({
      ...session,
      browser: describeBrowser(userAgent),
      isThis: session.id === user.sessionId,
    })),
  };
}

export function action({ context, request }: Route.ActionArgs) {
  return actOnProfile(request, context);
}

export const headers = keepRetryAfter;

export const meta = accountMeta('Profile');

export default function ProfilePage({ loaderData, actionData }: Route.ComponentProps) {
  const parts = { ...loaderData, answer: actionData };
  return (
    <NarrowColumn title="Profile" intro={loaderData.email}>
      <FormNotice text={actionData?.message} kind={actionData?.ok ? 'success' : 'error'} />
      <div className={styles.group}>
        <Account {...parts} />
      </div>
      <div className={styles.group}>
        <Password {...parts} />
        <OtherWaysIn {...parts} />
      </div>
      <div className={styles.group}>
        <Sessions {...parts} />
      </div>
      <div className={styles.group}>
        <Download {...parts} />
        <Deletion {...parts} />
      </div>
    </NarrowColumn>
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/**
 * A section that asks for the password only once it is opened, so that the page has a single
 * password field.
 */
function FoldedSection({
  id,
  title,
  isOpen,
  children,
}: {
  id: string;
  title: string;
  isOpen: boolean;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id}>
      <details className={styles.folded} open={isOpen}>
        <summary>
          <h2 id={id}>{title}</h2>
        </summary>
        <div className={styles.section}>{children}</div>
      </details>
    </section>
  );
}

type Part = Route.ComponentProps['loaderData'] & { answer: Route.ComponentProps['actionData'] };

function Account({ role, emailVerified, suspension, preferencesPath, fullName, answer }: Part) {
  return (
    <Section id="profile-account" title="Account">
      <p>
        Role: {role}.{' '}
        {emailVerified
          ? 'Your email address is verified.'
          : 'Your email address is not verified yet.'}
      </p>
      {emailVerified ? null : <SendLinkAgain />}
      {emailVerified && suspension ? <SuspendedAddressNotice reason={suspension.reason} /> : null}
      {preferencesPath === null ? null : (
        <p>
          <a href={preferencesPath}>Choose your newsletters</a>
        </p>
      )}
      <PanelForm fields={{ intent: 'name' }} submitLabel="Save name">
        <NameField answer={answer} present={fullName} />
      </PanelForm>
    </Section>
  );
}

function Password({ email, ways, answer }: Part) {
  return (
    <Section id="profile-password" title="Password">
      {ways.hasPassword ? null : <p>Your account has no password yet.</p>}
      <PanelForm
        fields={{ intent: ways.hasPassword ? 'password' : 'first-password' }}
        submitLabel={ways.hasPassword ? 'Change password' : 'Set a password'}
      >
        {/* The hidden field tells password managers whose password this is. */}
        <input
          className="visually-hidden"
          type="text"
          name="username"
          autoComplete="username"
          value={email}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        {ways.hasPassword ? (
          <PasswordField
            label="Current password"
            name="current_password"
            autoComplete="current-password"
            error={answer?.errors?.['current_password']}
          />
        ) : null}
        <NewPasswordField answer={answer} label="New password" />
        {ways.hasPassword ? null : (
          <IdentityField
            ways={{ ...ways, hasCode: false }}
            error={answer?.errors?.['current_password']}
          />
        )}
      </PanelForm>
    </Section>
  );
}

function Download({ emailVerified, ways, exportError }: Part) {
  return (
    <FoldedSection id="profile-export" title="Export your data" isOpen={exportError !== undefined}>
      <p>
        {emailVerified
          ? 'A JSON file of everything we store about you.'
          : 'A JSON file of everything we store about this account. Data linked to the address, such as a newsletter subscription, is included once the address is verified.'}
      </p>
      <PanelForm isDocument action="/profile/export" submitLabel="Download my data">
        <IdentityField ways={ways} error={exportError} />
      </PanelForm>
    </FoldedSection>
  );
}

function Deletion({ emailVerified, ways, answer }: Part) {
  return (
    <FoldedSection
      id="profile-delete"
      title="Delete account"
      isOpen={answer?.errors?.['erase'] !== undefined}
    >
      <p>
        {emailVerified
          ? 'Your account, favorites, price alerts and subscription are erased at once and for good.'
          : 'This account, its favorites and its price alerts are erased at once and for good. Data linked to the address, such as a newsletter subscription, is kept.'}
      </p>
      <PanelForm fields={{ intent: 'erase' }} submitLabel="Delete my account" variant="danger">
        <IdentityField ways={ways} error={answer?.errors?.['erase']} />
      </PanelForm>
    </FoldedSection>
  );
}

function OtherWaysIn({ emailVerified, summary }: Part) {
  // Until the email is verified, the account may be a stranger's.
  if (!emailVerified) {
    return (
      <Section id="profile-ways" title="Other ways to sign in">
        <p>{accountMessages.addressFirst}</p>
        <SendLinkAgain />
      </Section>
    );
  }
  return <WaySections summary={summary} />;
}

function Sessions({ sessions }: Part) {
  const momentOf = useMoments();
  return (
    <Section id="sessions" title="Where you are signed in">
      <ul className={`stack wide ${styles.sessions}`}>
        {sessions.map((session) => (
          <li key={session.id} data-key={session.id}>
            <p>
              <strong>{session.browser}</strong>
              {session.isThis ? ' (this one)' : ''}
              <br />
              <small>
                {session.address ? `${session.address}, ` : ''}since {momentOf(session.createdAt)},
                last used {momentOf(session.lastSeenAt)}
              </small>
            </p>
            {session.isThis ? null : (
              <PostButton
                fields={{ intent: 'end-session', session: session.id }}
                aria-label={`End the session in ${session.browser}`}
              >
                End
              </PostButton>
            )}
          </li>
        ))}
      </ul>
      <form method="post" data-in-place="" className="row gap-3">
        <Button type="submit" name="intent" value="end-others">
          Sign out elsewhere
        </Button>
        <Button type="submit" name="intent" value="end-all">
          Sign out everywhere
        </Button>
      </form>
    </Section>
  );
}
