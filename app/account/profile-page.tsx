import type { ReactNode } from 'react';
import { Form, Link, useNavigation } from 'react-router';
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
import {
  providerNames,
  providerTitle,
} from '#app/features/accounts/providers/identity-providers.server.ts';
import { findWaysIn } from '#app/features/accounts/ways-in-queries.server.ts';
import { describeBrowser } from '#app/features/accounts/sessions/describe-browser.ts';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import forms from '#app/ui/form.module.css';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';
import { accountMeta } from './account-meta.ts';
import { actOnProfile } from './act-on-profile.server.ts';
import styles from './profile-page.module.css';

export async function loader({ context, request }: Route.LoaderArgs) {
  const user = requireUser(context, request);
  const services = appServices(context);
  const { db, env } = services;
  const sessions = await listOwnSessions(db, user.id);
  const { passkeys, providers } = await findWaysIn(db, user.id);
  const refused = new URL(request.url).searchParams.get('export');
  return {
    fullName: user.fullName,
    email: user.email,
    role: user.role,
    emailVerified: user.emailVerified,
    hasTwoFactor: user.hasTwoFactor,
    passkeyCount: passkeys,
    providers: providers.map(({ id }) => providerTitle(env, id)),
    hasProviders: providers.length > 0 || providerNames(env).length > 0,
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
  const isBusy = useNavigation().state === 'submitting';
  return (
    <>
      <PageHeading title="Profile">{loaderData.email}</PageHeading>
      <FormNotice text={actionData?.message} kind={actionData?.ok ? 'success' : 'error'} />
      <div className={styles.sections}>
        <Account loaderData={loaderData} answer={actionData} isBusy={isBusy} />

        <Password loaderData={loaderData} answer={actionData} isBusy={isBusy} />

        {loaderData.emailVerified ? <OtherWaysIn {...loaderData} /> : <NoOtherWaysIn />}

        <Sessions sessions={loaderData.sessions} isBusy={isBusy} />

        <Download loaderData={loaderData} />

        <Deletion loaderData={loaderData} answer={actionData} isBusy={isBusy} />
      </div>
    </>
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

interface Part {
  loaderData: Route.ComponentProps['loaderData'];
  answer: Route.ComponentProps['actionData'];
  isBusy: boolean;
}

function Account({ loaderData, answer, isBusy }: Part) {
  return (
    <Section id="profile-account" title="Account">
      <p>
        Role: {loaderData.role}.{' '}
        {loaderData.emailVerified ? (
          'Your email address is verified.'
        ) : (
          <>
            Your email address is not verified yet.{' '}
            <Link to="/resend-verification">Send the link again</Link>
          </>
        )}
      </p>
      <Form method="post" className={forms.stack}>
        <input type="hidden" name="intent" value="name" />
        <NameField answer={answer} present={loaderData.fullName} />
        <Button type="submit" isBusy={isBusy}>
          Save the name
        </Button>
      </Form>
    </Section>
  );
}

function Password({ loaderData, answer, isBusy }: Part) {
  return (
    <Section id="profile-password" title="Password">
      {loaderData.ways.hasPassword ? null : <p>Your account has no password yet.</p>}
      <Form method="post" className={forms.stack}>
        <input
          type="hidden"
          name="intent"
          value={loaderData.ways.hasPassword ? 'password' : 'first-password'}
        />
        {/* Tells password managers whose password this is. */}
        <input
          className="visually-hidden"
          type="text"
          name="username"
          autoComplete="username"
          value={loaderData.email}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        {loaderData.ways.hasPassword ? (
          <PasswordField
            label="Current password"
            name="current_password"
            autoComplete="current-password"
            error={answer?.errors?.['current_password']}
          />
        ) : null}
        <NewPasswordField answer={answer} label="New password" />
        {loaderData.ways.hasPassword ? null : (
          <IdentityField
            ways={{ ...loaderData.ways, hasCode: false }}
            error={answer?.errors?.['current_password']}
          />
        )}
        <Button type="submit" isBusy={isBusy}>
          {loaderData.ways.hasPassword ? 'Change the password' : 'Set a password'}
        </Button>
      </Form>
    </Section>
  );
}

function Download({ loaderData }: Pick<Part, 'loaderData'>) {
  return (
    <Section id="profile-export" title="Take your data along">
      <p>
        {loaderData.emailVerified
          ? 'A JSON file of everything that is kept about you.'
          : 'A JSON file of everything that is kept about this account. What belongs to the address, such as a newsletter, comes along once it is verified.'}
      </p>
      <form method="post" action="/profile/export" className={forms.stack}>
        <IdentityField ways={loaderData.ways} error={loaderData.exportError} />
        <Button type="submit">Download my data</Button>
      </form>
    </Section>
  );
}

function Deletion({ loaderData, answer, isBusy }: Part) {
  return (
    <Section id="profile-delete" title="Delete the account">
      <p>
        {loaderData.emailVerified
          ? 'Your account, favorites, price alerts and subscription are erased at once and for good.'
          : 'This account, its favorites and its price alerts are erased at once and for good. What belongs to the address, such as a newsletter, stays.'}
      </p>
      <Form method="post" className={forms.stack}>
        <input type="hidden" name="intent" value="erase" />
        <IdentityField ways={loaderData.ways} error={answer?.errors?.['erase']} />
        <Button type="submit" look="danger" isBusy={isBusy}>
          Delete my account
        </Button>
      </Form>
    </Section>
  );
}

function OtherWaysIn({
  hasTwoFactor,
  passkeyCount,
  hasProviders,
  providers,
}: Route.ComponentProps['loaderData']) {
  return (
    <>
      <Section id="profile-two-factor" title="Second step">
        <p>
          {hasTwoFactor
            ? 'Signing in asks for a code of your authenticator app.'
            : 'Let signing in ask for a code of an authenticator app, so that a stolen password is not enough.'}
        </p>
        <ButtonLink to="/profile/two-factor">{hasTwoFactor ? 'Manage' : 'Set it up'}</ButtonLink>
      </Section>

      <Section id="profile-passkeys" title="Passkeys">
        <p>
          {passkeyCount === 0
            ? 'Sign in with your fingerprint, your face or the PIN of a device instead of a password.'
            : passkeyCount === 1
              ? 'One passkey opens your account.'
              : `${passkeyCount} passkeys open your account.`}
        </p>
        <ButtonLink to="/profile/passkeys">
          {passkeyCount === 0 ? 'Add a passkey' : 'Manage passkeys'}
        </ButtonLink>
      </Section>

      {hasProviders ? (
        <Section id="profile-providers" title="Sign-in providers">
          <p>
            {providers.length === 0
              ? 'Your account is connected to no other one yet.'
              : `${new Intl.ListFormat('en-US').format(providers)} can sign you in.`}
          </p>
          <ButtonLink to="/profile/providers">Manage</ButtonLink>
        </Section>
      ) : null}
    </>
  );
}

/** Whose address is not proved: the account may be a stranger's (R59). */
function NoOtherWaysIn() {
  return (
    <Section id="profile-ways" title="Other ways to sign in">
      <p>{accountMessages.addressFirst}</p>
      <ButtonLink to="/resend-verification">Send the link again</ButtonLink>
    </Section>
  );
}

function Sessions({
  sessions,
  isBusy,
}: {
  sessions: Route.ComponentProps['loaderData']['sessions'];
  isBusy: boolean;
}) {
  const { timeZone } = useSite();
  const time = (date: Date) =>
    date.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone });
  return (
    <Section id="sessions" title="Where you are signed in">
      <ul className={styles.sessions}>
        {sessions.map((session) => (
          <li key={session.id}>
            <p>
              <strong>{session.browser}</strong>
              {session.isThis ? ' (this one)' : ''}
              <br />
              <small>
                {session.address ? `${session.address}, ` : ''}since {time(session.createdAt)}, last
                used {time(session.lastSeenAt)}
              </small>
            </p>
            {session.isThis ? null : (
              <Form method="post">
                <input type="hidden" name="intent" value="end-session" />
                <input type="hidden" name="session" value={session.id} />
                <Button
                  type="submit"
                  isBusy={isBusy}
                  aria-label={`End the session in ${session.browser}`}
                >
                  End
                </Button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      <Form method="post" className={styles.buttons}>
        <Button type="submit" name="intent" value="end-others" isBusy={isBusy}>
          Sign out elsewhere
        </Button>
        <Button type="submit" name="intent" value="end-all" isBusy={isBusy}>
          Sign out everywhere
        </Button>
      </Form>
    </Section>
  );
}
