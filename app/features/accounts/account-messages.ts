import type { WeakPasswordReason } from './passwords/find-weak-password-reasons.ts';

/**
 * Messages of sign-in, sign-up and the profile. The specification's messages are quoted word for
 * word.
 */
export const accountMessages = {
  signedIn: 'Login successful!',
  signedUp: 'Sign up successful! Please check your email to verify your account.',
  busy: 'Please wait...',
  failed: 'An error occurred',
  wrongCredentials: 'Invalid email or password',
  suspended:
    'This account is suspended. If you think that is a mistake, please write to us on the contact page.',
  wrongPassword: 'That password is incorrect',
  wrongCode: 'That code is incorrect. Please try again.',
  emailRequired: 'Please enter your email address',
  emailInvalid: 'Please enter a valid email address',
  passwordRequired: 'Please enter your password',
  nameRequired: 'Please enter your full name',
  nameTooLong: 'The name may have at most 100 characters',
  nameInvalid: 'The name may not contain special characters',
  resetSent:
    'If there is an account with this address, a link to set a new password is on its way.',
  verificationSent:
    'If there is an account with this address that is not verified yet, a new link is on its way.',
  linkDead: 'This link is no longer valid. It may have expired or been used already.',
  emailVerified: 'Your email address is verified, and you are signed in.',
  confirmationSent: 'If your address is suspended, a confirmation link is on its way.',
  addressConfirmed:
    'Your email address is confirmed. Price alerts and newsletters are sent to it again.',
  addressFirst:
    'Verify your email address first. Until then, anyone could have signed up with it, so this account cannot have a passkey, two-factor, a sign-in provider or notifications.',
  passwordReset: 'Your password has been changed. You can sign in with it now.',
  passwordChanged:
    'Your password has been changed, and all your other sessions have been signed out.',
  providerConnected: 'Connected. You can sign in with it now.',
  providerRemoved: 'Disconnected. It can no longer be used to sign in to your account.',
  lastWayIn:
    'This is the only way to sign in to your account. Set a password or add a passkey first.',
  passwordSet: 'Your password has been set, and all your other sessions have been signed out.',
  passkeyNameRequired: 'Please name the passkey so that you recognize it later',
  passkeyNameTooLong: 'The name may have at most 60 characters',
  passkeyAdded: 'Your passkey has been added. You can sign in with it now.',
  passkeyRemoved: 'The passkey has been removed and can no longer be used to sign in.',
  passkeyRefused: 'The passkey could not be added. Please try again.',
  passkeyUnknown: 'This passkey was not accepted. Try again, or sign in with your password.',
  passkeyUnconfirmed: 'This passkey was not accepted. Please try again.',
  signInAgain: 'Please sign in again first. This protects your account on an unlocked screen.',
  passkeyCancelled: 'No passkey was used.',
  passkeyExists: 'This device already has a passkey for your account.',
  tooManyPasskeys: 'You have 20 passkeys, which is the limit. Remove one to add another.',
  nameSaved: 'Your name has been saved.',
  lastSuperAdmin: 'You are the last super_admin. Make someone else a super_admin first.',
} as const;

/** Reasons why a provider could not sign in or connect the user. */
export const providerRefusals = {
  denied: 'You canceled the sign-in at the provider. Nothing has changed.',
  over: 'This attempt has expired or was started in another browser. Please try again.',
  failed: 'The response could not be read. Please try again in a moment.',
  unverified:
    'Your email address is not verified with this provider. Verify it with the provider first, or sign up with a password.',
  disconnected:
    'You disconnected this provider from your account. Sign in another way, then connect it again on your profile.',
  other: 'That is a different account from the one connected here. Please try again.',
  'not-asked':
    'The provider let you in without asking who you are. Sign out there first, then try again.',
  taken: 'That account is already connected to another account here.',
  'has-one':
    'Your account is connected to a different account there. Sign in with that one, or another way, and disconnect it on your profile first.',
  staff:
    'Administrator accounts need two-factor. Sign in with your password or passkey and set it up first.',
  suspended: accountMessages.suspended,
  'own-unproved': accountMessages.addressFirst,
} as const;

export type ProviderProblem = keyof typeof providerRefusals;

/** Lists every reason why a password is rejected, with how to improve it. */
export function describeWeakPassword(
  reasons: readonly WeakPasswordReason[],
  minLength: number,
): string {
  const sentences: Record<WeakPasswordReason, string> = {
    length: `Use at least ${minLength} characters.`,
    'too-long': 'Use at most 128 characters.',
    common: 'It is one of the first passwords that attackers try.',
    repeated: 'It repeats the same few characters.',
    sequence: 'It is a sequence of the keyboard or the alphabet.',
    personal: 'It is based on your name, your email address or the name of this site.',
  };
  return `This password is too weak. ${reasons.map((reason) => sentences[reason]).join(' ')}`;
}
