/** Messages of the newsletter, word for word from the specification. */
export const newsletterMessages = {
  invalidEmail: 'Please enter a valid email address',
  alreadySubscribed: 'This email is already subscribed to our newsletter',
  tooOften: 'Unable to subscribe at this time. Please try again later.',
  failed: 'Failed to subscribe. Please try again.',
  subscribed: 'Successfully subscribed! Check your email for confirmation.',
  reactivated: 'Welcome back! Your subscription has been reactivated.',
} as const;

/** ms; a message is shown under the form for this long */
export const messageClearsAfterMs = 5_000;
