export interface KeptValue {
  name: string;
  /** Where the browser keeps it, and how long. */
  where: string;
  what: string;
}

/** Everything this site keeps in a browser. A test finds what is missing here. */
export const keptValues: readonly KeptValue[] = [
  {
    name: 'session',
    where: 'Cookie, up to 30 days, or 14 days without use',
    what: 'Essential. Keeps you signed in; set when you sign in, taken back when you leave.',
  },
  {
    name: 'known-device',
    where: 'Cookie, up to 400 days',
    what: 'Essential. A random number that says an account signed in here before, so that strangers who guess at its password cannot keep you out. It names nobody and opens nothing.',
  },
  {
    name: 'second-factor',
    where: 'Cookie, some minutes',
    what: 'Essential. Between the password and the code of a second factor.',
  },
  {
    name: 'passkey-challenge',
    where: 'Cookie, some minutes',
    what: 'Essential. While you sign in with a passkey.',
  },
  {
    name: 'provider-state',
    where: 'Cookie, some minutes',
    what: 'Essential. While you sign in with an account from elsewhere, if that is offered.',
  },
  {
    name: 'flash',
    where: 'Cookie, some seconds',
    what: 'Essential. Carries the answer to a form to the page that follows; for staff only.',
  },
  {
    name: 'cookie-preferences',
    where: 'Local storage, until you clear it',
    what: 'Essential. The choice you make on this page.',
  },
  {
    name: 'offline',
    where: 'Cache, until you clear it',
    what: 'Essential. One page that says, without a connection, that there is none.',
  },
  {
    name: 'theme',
    where: 'Local storage, until you clear it',
    what: 'Preferences. Light or dark; kept once you use the switch in the header.',
  },
  {
    name: 'admin-keys',
    where: 'Local storage, until you clear it',
    what: 'Preferences. For staff only: whether keys act in the back office.',
  },
];
