/** A newsletter as emailed, the same for all recipients, with prices as text. */
export interface NewsletterContent {
  subject: string;
  /** The text that an inbox shows next to the subject. */
  preview: string;
  /** The second subject and preview text of an A/B test. */
  variantB?: { subject: string; preview: string };
  /** The content as email HTML, with deals as cards and links through the click counter. */
  body: string;
  /** A time such as "Nov 21, 2026, 9:00 AM UTC". `null` if the newsletter contains no price. */
  pricesAt: string | null;
}

/** A deal as shown on its card in an email. */
export interface NewsletterDeal {
  title: string;
  store: string;
  /** `null` if the store forbids showing an outdated price. */
  price: string | null;
  was: string | null;
  /** A discount such as "40% off". */
  off: string | null;
  notes: string[];
  href: string;
  /** An absolute URL on this site. */
  picture: string | null;
}

/** A deal of a newsletter that readers will not see. */
export interface LeftOutDeal {
  id: number;
  title: string;
  reason: 'gone' | 'over';
}
