/** What one weekly digest says, as it was when it was written. Prices are words by then. */
export interface DigestContent {
  /** "Nov 21, 2026, 9:00 AM UTC" */
  writtenAt: string;
  deals: DigestDeal[];
}

export interface DigestDeal {
  slug: string;
  title: string;
  store: string;
  price: string;
  /** "40% off, was $99.99"; null where nothing may be claimed. */
  claim: string | null;
  /** Whose claim the earlier price is. */
  evidence: string | null;
  /** Where the price stands in its own history. */
  proof: string;
  couponCode: string | null;
}
