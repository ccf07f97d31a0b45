import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';

/** Emails that the site writes itself: the week's best new deals, and the day's real lows. */
export type DigestKind = 'weekly' | 'hot';

export function isDigestOn(
  kind: DigestKind,
  settings: Pick<SiteSettings, 'digestEnabled' | 'hotDealsEnabled'>,
): boolean {
  return kind === 'weekly' ? settings.digestEnabled : settings.hotDealsEnabled;
}

/** The content of one issue when it was written, with prices as text. */
export interface DigestContent {
  /** Absent in weekly digests of older versions. */
  kind?: DigestKind;
  /** A time such as "Nov 21, 2026, 9:00 AM UTC". */
  writtenAt: string;
  deals: DigestDeal[];
}

export interface DigestDeal {
  slug: string;
  title: string;
  store: string;
  price: string;
  /** A claim such as "40% off, was $99.99", or `null` if nothing may be claimed. */
  claim: string | null;
  /** The source of the earlier price. */
  evidence: string | null;
  /** A comparison of the price with its own history. */
  proof: string;
  couponCode: string | null;
  /** The other stores of its product, such as "Also at 2 other stores, from $79.99 incl. shipping". */
  alsoAt?: string | undefined;
  /** The reason why the deal is in an email to one person. */
  reason?: string | undefined;
  /** Paths of pictures. Absent in digests of older versions. */
  picture?: string | null;
  line?: string | null;
}
