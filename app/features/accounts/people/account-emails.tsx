import type { ComponentProps } from 'react';
import { MailLayout, MailLink, MailNote, MailText } from '#app/platform/mail/mail-frame.tsx';
import { fullDateTime } from '#app/platform/time-words.ts';
import type { MailSite } from '#app/platform/mail/mail-kind.server.ts';

type AccountEmail = Omit<ComponentProps<typeof MailLayout>, 'site'> & { subject: string };

function template<Props extends object>(write: (props: Props, site: MailSite) => AccountEmail) {
  return {
    subject: (props: Props, site: MailSite) => write(props, site).subject,
    default(props: Props & { site: MailSite }) {
      const { subject: _, ...letter } = write(props, props.site);
      return <MailLayout site={props.site} {...letter} />;
    },
  };
}

const ifYou = 'If this was you, you don’t need to do anything.';

/** The email goes to an unverified address, so it contains no text typed by the sender. */
export const verifyAddress = template(({ path }: { path: string }, { name }) => ({
  subject: `Verify your email address for ${name}`,
  preview: 'One step and your account is ready.',
  title: 'Verify your email address',
  button: { path, label: 'Verify my email address' },
  reason: `You are receiving this email because someone signed up to ${name} with this address. If it was not you, you can ignore it.`,
  children: (
    <>
      <MailText>
        Please verify that this address is yours, so that you can receive price alerts.
      </MailText>
      <MailNote>
        The link can be used once and expires in 24 hours. You will need the password you chose.
      </MailNote>
    </>
  ),
}));

export const confirmAddress = template(({ path }: { path: string }, { name }) => ({
  subject: `Confirm your email address for ${name}`,
  preview: 'One step and your alerts resume.',
  title: 'Confirm your email address',
  button: { path, label: 'Confirm my email address' },
  reason: `You are receiving this email because you asked for it in your ${name} account. If it was not you, you can ignore it.`,
  children: (
    <MailText>
      Price alerts and newsletters to this address are paused. Confirm that it works to get them
      again.
    </MailText>
  ),
}));

export const resetPassword = template(({ path }: { path: string }, { name }) => ({
  subject: `Set a new password for ${name}`,
  preview: 'Here is the link to set a new password.',
  title: 'Set a new password',
  button: { path, label: 'Set a new password' },
  reason: `You are receiving this email because someone asked for a new password at ${name}. If it was not you, you can ignore it: your password has not changed.`,
  children: (
    <>
      <MailText>This link lets you choose a new password, and signs you out everywhere.</MailText>
      <MailNote>The link can be used once and expires in 30 minutes.</MailNote>
    </>
  ),
}));

interface Invitation {
  path: string;
  inviter: string;
  /** The role's name. */
  role: string;
  words: string;
  expiresAt: Date;
}

/** The inviter's message is plain text, so a link in it is not clickable. */
export const staffInvitation = template(
  ({ path, inviter, role, words, expiresAt }: Invitation, { name, timeZone }) => ({
    subject: `${inviter} invites you to the team of ${name}`,
    preview: `Join the team of ${name} as ${role}.`,
    title: `Join the team of ${name}`,
    button: { path, label: 'Accept the invitation' },
    reason: `You are receiving this email because ${inviter} invited this address to the team of ${name}. If you did not expect it, you can ignore it.`,
    children: (
      <>
        <MailText>
          {inviter} invites you to help run {name}, as {role}.
        </MailText>
        {words ? <MailText>“{words}”</MailText> : null}
        <MailNote>
          The link can be used once and expires on {fullDateTime(expiresAt, timeZone)}.
        </MailNote>
      </>
    ),
  }),
);

export const alreadyRegistered = template((_props, site) => ({
  subject: `You already have an account at ${site.name}`,
  preview: 'Someone tried to sign up with your address.',
  title: 'You already have an account',
  button: { path: '/sign-in', label: 'Sign In' },
  reason: `You are receiving this email because someone tried to sign up to ${site.name} with this address. If it was not you, you can ignore it: your account is unchanged.`,
  children: (
    <MailText>
      There is already an account with this address, so you can simply sign in. If you have
      forgotten the password,{' '}
      <MailLink site={site} path="/forgot-password">
        set a new one
      </MailLink>
      .
    </MailText>
  ),
}));

export const passwordChanged = template((_props, site) => ({
  subject: `Your password at ${site.name} was changed`,
  preview: ifYou,
  title: 'Your password was changed',
  reason: `You are receiving this email because the password of your account at ${site.name} was changed.`,
  children: (
    <MailText>
      Your password was just changed, and you were signed out everywhere else. If it was not you,
      please{' '}
      <MailLink site={site} path="/forgot-password">
        set a new password
      </MailLink>{' '}
      immediately.
    </MailText>
  ),
}));

/** `name` is the name that the owner gave the passkey. */
export const passkeyAdded = template((key: { fullName: string; name: string }, site) => ({
  subject: `A passkey was added to your account at ${site.name}`,
  preview: ifYou,
  title: 'A passkey was added',
  reason: `You are receiving this email because a sign-in method was added to your account at ${site.name}.`,
  children: (
    <>
      <MailText>Hello {key.fullName},</MailText>
      <MailText>
        The passkey “{key.name}” can now sign you in. If you did not add it, please{' '}
        <MailLink site={site} path="/profile/passkeys">
          remove it
        </MailLink>{' '}
        immediately, change your password, and end all sessions that you do not recognize.
      </MailText>
    </>
  ),
}));

interface OfProvider {
  fullName: string;
  /** The provider's name. */
  provider: string;
}

/**
 * `isFirstProof`: the address was not verified before, so all earlier sign-in methods were removed.
 */
export const providerConnected = template(
  ({ fullName, provider, isFirstProof }: OfProvider & { isFirstProof?: boolean }, site) => ({
    subject: `${provider} can now sign you in at ${site.name}`,
    preview: ifYou,
    title: `${provider} was connected`,
    reason: `You are receiving this email because a sign-in method was added to your account at ${site.name}.`,
    children: (
      <>
        <MailText>Hello {fullName},</MailText>
        <MailText>
          Your account at {provider} can now sign you in here. If you did not connect it,{' '}
          <MailLink site={site} path="/profile/providers">
            disconnect it
          </MailLink>{' '}
          and end all sessions that you do not recognize.
        </MailText>
        {isFirstProof ? (
          <MailText>
            Your address was not verified before, so anyone could have signed up with it. The old
            password and all earlier sessions were removed. You can set a new password on your
            profile.
          </MailText>
        ) : null}
      </>
    ),
  }),
);

export const providerDisconnected = template(({ fullName, provider }: OfProvider, site) => ({
  subject: `${provider} can no longer sign you in at ${site.name}`,
  preview: ifYou,
  title: `${provider} was disconnected`,
  reason: `You are receiving this email because a sign-in method was removed from your account at ${site.name}.`,
  children: (
    <>
      <MailText>Hello {fullName},</MailText>
      <MailText>
        Your account at {provider} can no longer sign you in here. If you did not disconnect it,{' '}
        <MailLink site={site} path="/profile/providers">
          connect it again
        </MailLink>{' '}
        and end all sessions that you do not recognize.
      </MailText>
    </>
  ),
}));
