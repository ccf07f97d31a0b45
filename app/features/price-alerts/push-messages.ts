export const pushMessages = {
  /** Shown if the page cannot ask for permission: without https, or in a browser without push. */
  unsupported:
    'This browser cannot show notifications from this site. It needs an https address; on an iPhone or iPad, add the site to the Home Screen first.',
  denied:
    'This browser blocks notifications from this site. Allow them in its settings, then reload the page.',
  failed: 'The browser could not be registered. Please try again.',
  unproved: 'Verify your email address first, then you can turn on notifications in this browser.',
  notYours: 'This browser is no longer connected to your account.',
  on: 'This browser is notified when an alert fires or a watched search has news.',
  off: 'This browser gets no notifications.',
} as const;
