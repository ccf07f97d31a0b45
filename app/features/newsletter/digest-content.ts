/** The content of one weekly digest as of its writing, with prices as text. */
export interface DigestContent {
  /** For example "Nov 21, 2026, 9:00 AM UTC". */
  writtenAt: string;
  deals: DigestDeal[];
}

export interface DigestDeal {
  slug: string;
  title: string;
  store: string;
  price: string;
  /** For example "40% off, was $99.99"; `null` if nothing may be claimed. */
  claim: string | null;
  /** The party that claims the earlier price. */
  evidence: string | null;
  /** How the price compares with its own history. */
  proof: string;
  couponCode: string | null;
}
