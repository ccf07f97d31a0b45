import { Form, Link, redirect, useNavigation } from 'react-router';
import type { Route } from './+types/profile-page';
import {
  changePasswordInput,
  nameInput,
  passwordInput,
  readForm,
} from '#app/features/accounts/account-input.ts';
import { accountMessages, describeWeakPassword } from '#app/features/accounts/account-messages.ts';
import {
  acceptForm,
  cookieHeaders,
  refuseForm,
  refuseIdentity,
  refuseTooMany,
} from '#app/features/accounts/answer-form.server.ts';
import { changePassword, setFirstPassword } from '#app/features/accounts/change-password.server.ts';
import {
  confirmIdentity,
  describeIdentityRefusal,
  identityWays,
  isIdentityRefusal,
  readProof,
} from '#app/features/accounts/confirm-identity.server.ts';
import { NewPasswordField } from '#app/features/accounts/credential-forms.tsx';
import { eraseAccount } from '#app/features/accounts/erase-account.server.ts';
import { requireUser } from '#app/features/accounts/session-context.server.ts';
import { endSessionCookie } from '#app/features/accounts/session-cookie.server.ts';
import { sessionPlace } from '#app/features/accounts/session-place.server.ts';
import {
  endSession,
  endSessions,
  listOwnSessions,
} from '#app/features/accounts/session-queries.server.ts';
import { IdentityField } from '#app/features/accounts/identity-field.tsx';
import { providerNames, providerTitle } from '#app/features/accounts/identity-providers.server.ts';
import { findWaysIn } from '#app/features/accounts/ways-in-queries.server.ts';
import { describeBrowser } from '#app/features/accounts/describe-browser.ts';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import formStyles from '#app/features/accounts/account-form.module.css';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { accountMeta } from './account-meta.ts';
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

export async function action({ context, request }: Route.ActionArgs) {
  const user = requireUser(context, request);
  const services = appServices(context);
  const { db, env } = services;
  const form = await readFormBody(request);
  switch (readText(form, 'intent')) {
    case 'name': {
      const read = readForm(nameInput, form);
      if (!read.ok) return refuseForm(form, read);
      await db
        .updateTable('users')
        .set({ full_name: read.value.full_name, updated_at: new Date() })
        .where('id', '=', user.id)
        .execute();
      return acceptForm(accountMessages.nameSaved);
    }
    case 'first-password': {
      const read = readForm(passwordInput, form);
      if (!read.ok) return refuseForm(form, read);
      const confirmed = await confirmIdentity(services, user, {
        ...readProof(form),
        typed: '', // the field of that name is the new one
      });
      if (!confirmed.ok) return refuseIdentity(form, confirmed, 'current_password');
      const { place } = sessionPlace(context, request);
      const result = await setFirstPassword(services, user, read.value.password, place);
      if (result.ok) return acceptForm(accountMessages.passwordSet, [result.cookie]);
      if (result.reason === 'has-one') {
        return refuseForm(form, { message: accountMessages.failed }, 409);
      }
      const words = describeWeakPassword(result.reasons, env.passwordMinLength);
      return refuseForm(form, { errors: { password: words } });
    }
    case 'password': {
      const read = readForm(changePasswordInput, form);
      if (!read.ok) return refuseForm(form, read);
      const { current_password: current, password: next } = read.value;
      const { place } = sessionPlace(context, request);
      const result = await changePassword(services, user, { current, next }, place);
      if (result.ok) return acceptForm(accountMessages.passwordChanged, [result.cookie]);
      if (result.reason === 'too-many') return refuseTooMany(form, result);
      if (result.reason === 'wrong') {
        return refuseForm(form, { errors: { current_password: accountMessages.wrongPassword } });
      }
      const words = describeWeakPassword(result.reasons, env.passwordMinLength);
      return refuseForm(form, { errors: { password: words } });
    }
    case 'end-session':
      await endSession(db, user.id, readText(form, 'session'));
      return redirect('/profile#sessions', { status: 303 });
    case 'end-others':
      await endSessions(db, user.id, { keep: user.sessionId });
      return redirect('/profile#sessions', { status: 303 });
    case 'end-all':
      await endSessions(db, user.id);
      return redirect('/', {
        status: 303,
        headers: cookieHeaders([endSessionCookie(env.origin)]),
      });
    case 'erase': {
      const confirmed = await confirmIdentity(services, user, readProof(form));
      if (!confirmed.ok) return refuseIdentity(form, confirmed, 'erase');
      const erased = await eraseAccount(services, user);
      if (!erased.ok) return refuseForm(form, { message: accountMessages.lastSuperAdmin }, 409);
      return redirect('/', {
        status: 303,
        headers: cookieHeaders([endSessionCookie(env.origin)]),
      });
    }
    default:
      return refuseForm(form, { message: accountMessages.failed }, 400);
  }
}

export const headers = keepRetryAfter;

export function meta({ matches }: Route.MetaArgs) {
  return accountMeta(matches[0].loaderData?.site, 'Profile');
}

export default function ProfilePage({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state === 'submitting';
  const errors = actionData?.errors;
  return (
    <>
      <PageHeading title="Profile">{loaderData.email}</PageHeading>
      <FormNotice text={actionData?.message} kind={actionData?.ok ? 'success' : 'error'} />
      <div className={styles.sections}>
        <section className={styles.section} aria-labelledby="profile-account">
          <h2 id="profile-account">Account</h2>
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
          <Form method="post" className={formStyles.form}>
            <input type="hidden" name="intent" value="name" />
            <TextField
              label="Full Name"
              name="full_name"
              autoComplete="name"
              required
              maxLength={100}
              defaultValue={actionData?.values?.full_name ?? loaderData.fullName}
              error={errors?.full_name}
            />
            <Button type="submit" isBusy={isBusy}>
              Save the name
            </Button>
          </Form>
        </section>

        <section className={styles.section} aria-labelledby="profile-password">
          <h2 id="profile-password">Password</h2>
          {loaderData.ways.hasPassword ? null : <p>Your account has no password yet.</p>}
          <Form method="post" className={formStyles.form}>
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
                error={errors?.['current_password']}
              />
            ) : null}
            <NewPasswordField answer={actionData} label="New password" />
            {loaderData.ways.hasPassword ? null : (
              <IdentityField
                ways={{ ...loaderData.ways, hasCode: false }}
                error={errors?.['current_password']}
              />
            )}
            <Button type="submit" isBusy={isBusy}>
              {loaderData.ways.hasPassword ? 'Change the password' : 'Set a password'}
            </Button>
          </Form>
        </section>

        {loaderData.emailVerified ? <OtherWaysIn {...loaderData} /> : <NoOtherWaysIn />}

        <Sessions sessions={loaderData.sessions} isBusy={isBusy} />

        <section className={styles.section} aria-labelledby="profile-export">
          <h2 id="profile-export">Take your data along</h2>
          <p>
            {loaderData.emailVerified
              ? 'A JSON file of everything that is kept about you.'
              : 'A JSON file of everything that is kept about this account. What belongs to the address, such as a newsletter, comes along once it is verified.'}
          </p>
          <form method="post" action="/profile/export" className={formStyles.form}>
            <IdentityField ways={loaderData.ways} error={loaderData.exportError} />
            <Button type="submit">Download my data</Button>
          </form>
        </section>

        <section className={styles.section} aria-labelledby="profile-delete">
          <h2 id="profile-delete">Delete the account</h2>
          <p>
            {loaderData.emailVerified
              ? 'Your account, favorites, price alerts and subscription are erased at once and for good.'
              : 'This account, its favorites and its price alerts are erased at once and for good. What belongs to the address, such as a newsletter, stays.'}
          </p>
          <Form method="post" className={formStyles.form}>
            <input type="hidden" name="intent" value="erase" />
            <IdentityField ways={loaderData.ways} error={errors?.['erase']} />
            <Button type="submit" look="danger" isBusy={isBusy}>
              Delete my account
            </Button>
          </Form>
        </section>
      </div>
    </>
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
      <section className={styles.section} aria-labelledby="profile-two-factor">
        <h2 id="profile-two-factor">Second step</h2>
        <p>
          {hasTwoFactor
            ? 'Signing in asks for a code of your authenticator app.'
            : 'Let signing in ask for a code of an authenticator app, so that a stolen password is not enough.'}
        </p>
        <ButtonLink to="/profile/two-factor">{hasTwoFactor ? 'Manage' : 'Set it up'}</ButtonLink>
      </section>

      <section className={styles.section} aria-labelledby="profile-passkeys">
        <h2 id="profile-passkeys">Passkeys</h2>
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
      </section>

      {hasProviders ? (
        <section className={styles.section} aria-labelledby="profile-providers">
          <h2 id="profile-providers">Sign-in providers</h2>
          <p>
            {providers.length === 0
              ? 'Your account is connected to no other one yet.'
              : `${new Intl.ListFormat('en-US').format(providers)} can sign you in.`}
          </p>
          <ButtonLink to="/profile/providers">Manage</ButtonLink>
        </section>
      ) : null}
    </>
  );
}

/** Whose address is not proved: the account may be a stranger's (R59). */
function NoOtherWaysIn() {
  return (
    <section className={styles.section} aria-labelledby="profile-ways">
      <h2 id="profile-ways">Other ways to sign in</h2>
      <p>{accountMessages.addressFirst}</p>
      <ButtonLink to="/resend-verification">Send the link again</ButtonLink>
    </section>
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
    <section className={styles.section} aria-labelledby="sessions">
      <h2 id="sessions">Where you are signed in</h2>
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
    </section>
  );
}
