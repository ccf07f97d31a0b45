import type { WeakPasswordReason } from './find-weak-password-reasons.ts';

/** The words of sign-in, sign-up and the profile. Those of the specification stand as it writes them. */
export const accountMessages = {
  signedIn: 'Login successful!',
  signedUp: 'Sign up successful! Please check your email to verify your account.',
  busy: 'Please wait...',
  failed: 'An error occurred',
  wrongCredentials: 'Invalid email or password',
  wrongPassword: 'That is not your password',
  wrongCode: 'That code is not right. Please try again.',
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
  linkDead: 'This link is no longer valid. It may have been used already, or be too old.',
  emailVerified: 'Your email address is verified.',
  passwordReset: 'Your password is changed. You can sign in with it now.',
  passwordChanged: 'Your password is changed. All your other sessions were ended.',
  nameSaved: 'Your name is saved.',
  lastSuperAdmin: 'You are the last super_admin. Make somebody else one first.',
} as const;

/** Each reason why a password is refused (decision 9a), in a sentence that tells how to do better. */
export function describeWeakPassword(
  reasons: readonly WeakPasswordReason[],
  minLength: number,
): string {
  const sentences: Record<WeakPasswordReason, string> = {
    length: `Use at least ${minLength} characters.`,
    'too-long': 'Use at most 128 characters.',
    common: 'It is one of the passwords that are guessed first.',
    repeated: 'It repeats the same few characters.',
    sequence: 'It is a row of the keyboard or the alphabet.',
    personal: 'It is made of your name or email address.',
  };
  return `This password is too weak. ${reasons.map((reason) => sentences[reason]).join(' ')}`;
}
