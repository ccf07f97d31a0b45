/**
 * Every limit on attempts: so many `points` (0: no limit) in a window of so many `seconds`; `RATE_LIMITS` changes both.
 * `per`: the key is the visitor's address, the network it lies in, or anything else, which is stored only as a hash.
 */
export const rateLimits = {
  'sign-in-address': { points: 30, seconds: 600, per: 'address' },
  /** Browsers in which an account is signed in for the first time. */
  'device-mark': { points: 20, seconds: 86_400, per: 'name' },
  /** Sign-up, forgotten password and resending the verification together. */
  'account-mail-address': { points: 10, seconds: 3600, per: 'address' },
  'account-mail-recipient': { points: 3, seconds: 3600, per: 'name' },
  /** Mails that invite the same person to the staff, and all that a site sends. */
  'staff-invitation': { points: 3, seconds: 3600, per: 'name' },
  'staff-invitation-site': { points: 50, seconds: 86_400, per: 'name' },
  'passkey-challenge': { points: 60, seconds: 600, per: 'address' },
  'push-renewal': { points: 20, seconds: 3600, per: 'address' },
  'subscribe-address': { points: 10, seconds: 3600, per: 'address' },
  'subscribe-recipient': { points: 1, seconds: 86_400, per: 'name' },
  /** Alerts that are asked for without an account, and the mails that ask to confirm them. */
  'watch-address': { points: 10, seconds: 3600, per: 'address' },
  'watch-recipient': { points: 3, seconds: 3600, per: 'name' },
  /** The same to an address that never confirmed, and to all of them. */
  'watch-stranger': { points: 1, seconds: 86_400, per: 'name' },
  'watch-site': { points: 1000, seconds: 86_400, per: 'name' },
  'contact-address': { points: 5, seconds: 3600, per: 'address' },
  'contact-recipient': { points: 3, seconds: 3600, per: 'name' },
  'contact-site': { points: 500, seconds: 86_400, per: 'name' },
  /** What visitors say of deals: each address, all of one deal, and the whole site. */
  'report-address': { points: 20, seconds: 3600, per: 'address' },
  'report-deal': { points: 100, seconds: 86_400, per: 'name' },
  'report-site': { points: 5000, seconds: 86_400, per: 'name' },
  'search-burst': { points: 30, seconds: 10, per: 'address' },
  search: { points: 300, seconds: 600, per: 'address' },
  page: { points: 600, seconds: 60, per: 'address' },
  /** The read API: without a key, and with one (a key may have a number of its own). */
  'api-address': { points: 60, seconds: 60, per: 'address' },
  'api-key': { points: 600, seconds: 60, per: 'name' },
  /** Reports of the content policy, sent by browsers themselves. */
  'policy-report-address': { points: 30, seconds: 60, per: 'address' },
  'policy-report-site': { points: 3000, seconds: 3600, per: 'name' },
  /** How often anyone can have a certificate of Amazon SNS fetched. */
  'sns-certificate': { points: 60, seconds: 3600, per: 'name' },
  'admin-write': { points: 120, seconds: 60, per: 'name' },
  'member-write': { points: 120, seconds: 60, per: 'name' },
  'test-mail': { points: 3, seconds: 3600, per: 'name' },
  'captcha-challenge': { points: 60, seconds: 600, per: 'address' },
  /** Questions for visitors without scripts: far easier for a machine than the puzzle, so far fewer. */
  'captcha-question': { points: 6, seconds: 600, per: 'address' },
  /** Each network has these to itself, so that strangers shut nobody out; what is above draws on the site's. */
  'captcha-question-network': { points: 3, seconds: 3600, per: 'network' },
  'captcha-question-site': { points: 120, seconds: 3600, per: 'name' },
} as const satisfies Record<
  string,
  { points: number; seconds: number; per: 'address' | 'network' | 'name' }
>;

export type RateLimitName = keyof typeof rateLimits;

export function isRateLimitName(name: string): name is RateLimitName {
  return Object.hasOwn(rateLimits, name);
}

/** The most pages of one address that are being made at the same time. */
export const mostConcurrentPages = 50;

/** The words of every refusal, whatever was tried. */
export const tooManyAttempts = 'Too many attempts. Please wait a moment and try again.';
