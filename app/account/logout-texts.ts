export const logoutTexts = {
  completed: 'Logout completed. Redirecting...',
  /** The session has ended, but the browser would not delete its data. */
  completedWithWarnings: 'Logout completed with warnings. Redirecting...',
  failed: 'The site could not be reached, so you are still signed in. Please try again.',
};
