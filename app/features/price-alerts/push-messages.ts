export const pushMessages = {
  /** The page cannot ask for it: no https, or a browser without push. */
  unsupported:
    'This browser cannot show notifications of this site. It needs an https address; on an iPhone or iPad, add the site to the Home Screen first.',
  denied:
    'This browser blocks notifications of this site. Allow them in its settings for this site, then reload the page.',
  failed: 'The browser could not be registered. Please try again.',
  unproved: 'Verify your email address first, then this browser can be told.',
  notYours: 'This browser is not among yours any more.',
  on: 'This browser is told when an alert fires.',
  off: 'This browser is not told.',
} as const;
