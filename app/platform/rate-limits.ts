/**
 * Every limit on attempts: `points` (0: no limit) in a window of `seconds`. `RATE_LIMITS` overrides
 * both. `per` is the kind of key: the visitor's address, its network, or anything else, which is
 * stored only as a hash.
 */
export const rateLimits = {
  'sign-in-address': { points: 30, seconds: 600, per: 'address' },
  /** First sign-ins to an account from a new browser. */
  'device-mark': { points: 20, seconds: 86_400, per: 'name' },
  /** Sign-up, forgotten password and resending the verification share this limit. */
  'account-mail-address': { points: 10, seconds: 3600, per: 'address' },
  'account-mail-recipient': { points: 3, seconds: 3600, per: 'name' },
  /** Invitation emails to one address, and all invitation emails of the site. */
  'staff-invitation': { points: 3, seconds: 3600, per: 'name' },
  'staff-invitation-site': { points: 50, seconds: 86_400, per: 'name' },
  'passkey-challenge': { points: 60, seconds: 600, per: 'address' },
  'push-renewal': { points: 20, seconds: 3600, per: 'address' },
  'subscribe-address': { points: 10, seconds: 3600, per: 'address' },
  'subscribe-recipient': { points: 1, seconds: 86_400, per: 'name' },
  /** Resends of the first email of a newsletter subscription. */
  'subscribe-resend': { points: 2, seconds: 86_400, per: 'name' },
  /** Alerts requested without an account, and their confirmation emails. */
  'watch-address': { points: 10, seconds: 3600, per: 'address' },
  'watch-recipient': { points: 3, seconds: 3600, per: 'name' },
  /** Confirmation emails to an address that never confirmed, and to all such addresses. */
  'watch-stranger': { points: 1, seconds: 86_400, per: 'name' },
  'watch-site': { points: 1000, seconds: 86_400, per: 'name' },
  /** Codes that a person sends to their own channels, and all codes that one channel gets. */
  'alert-channel': { points: 5, seconds: 3600, per: 'name' },
  'alert-channel-place': { points: 3, seconds: 86_400, per: 'name' },
  'contact-address': { points: 5, seconds: 3600, per: 'address' },
  'contact-recipient': { points: 3, seconds: 3600, per: 'name' },
  'contact-site': { points: 500, seconds: 86_400, per: 'name' },
  /** Visitors' reports on deals: per address, per deal, and for the whole site. */
  'report-address': { points: 20, seconds: 3600, per: 'address' },
  'report-deal': { points: 100, seconds: 86_400, per: 'name' },
  'report-site': { points: 5000, seconds: 86_400, per: 'name' },
  'search-burst': { points: 30, seconds: 10, per: 'address' },
  search: { points: 300, seconds: 600, per: 'address' },
  'price-check': { points: 30, seconds: 60, per: 'address' },
  /** Share pictures drawn for the first time, for the whole site. */
  'share-picture': { points: 120, seconds: 60, per: 'name' },
  page: { points: 600, seconds: 60, per: 'address' },
  /** Requests to the read API without a key, and with one (a key may have its own limit). */
  'api-address': { points: 60, seconds: 60, per: 'address' },
  'api-key': { points: 600, seconds: 60, per: 'name' },
  /** Reports of the content policy, sent by browsers themselves. */
  'policy-report-address': { points: 30, seconds: 60, per: 'address' },
  'policy-report-site': { points: 3000, seconds: 3600, per: 'name' },
  /** Sales that an affiliate network reports. Each network sends from few addresses. */
  'postback-address': { points: 300, seconds: 60, per: 'address' },
  /** Downloads of Amazon SNS certificates, which anyone can trigger. */
  'sns-certificate': { points: 60, seconds: 3600, per: 'name' },
  'admin-write': { points: 120, seconds: 60, per: 'name' },
  'member-write': { points: 120, seconds: 60, per: 'name' },
  /** Previews of a member's list of up to 2,000 products. */
  'list-preview': { points: 10, seconds: 600, per: 'name' },
  'test-mail': { points: 3, seconds: 3600, per: 'name' },
  'captcha-challenge': { points: 60, seconds: 600, per: 'address' },
  /**
   * Questions for visitors without JavaScript. Questions are far easier for a bot than the puzzle,
   * so the limit is low.
   */
  'captcha-question': { points: 6, seconds: 600, per: 'address' },
  /**
   * Each network has a separate quota, so that strangers cannot lock out others. Further questions
   * use the site's quota.
   */
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

/** pages that are rendered for one address at the same time */
export const mostConcurrentPages = 50;

/** The message of every refusal, whatever the attempt was. */
export const tooManyAttempts = 'Too many attempts. Please wait a moment and try again.';
