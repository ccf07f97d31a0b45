/** Messages of the newsletter form. All except the last two are quoted from the specification. */
export const newsletterMessages = {
  invalidEmail: 'Please enter a valid email address',
  alreadySubscribed: 'This email is already subscribed to our newsletter',
  tooOften: 'Unable to subscribe at this time. Please try again later.',
  failed: 'Failed to subscribe. Please try again.',
  subscribed: 'Successfully subscribed! Check your email for confirmation.',
  reactivated: 'Welcome back! Your subscription has been reactivated.',
  resendFailed: 'The email could not be sent. Please try again.',
  resent: 'If this address signed up for our newsletter, a new email is on its way.',
} as const;

/** ms; a message is shown under the form for this long */
export const messageClearsAfterMs = 5_000;
