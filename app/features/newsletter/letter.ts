/** A newsletter as it is mailed: to everybody the same, with prices as words. */
export interface Letter {
  subject: string;
  /** What a mailbox shows beside the subject. */
  preview: string;
  /** What was written, with its deals as cards and its links by way of the count, as the HTML of a mail. */
  body: string;
  /** "Nov 21, 2026, 9:00 AM UTC"; null where it names no price. */
  pricesAt: string | null;
}

/** A deal as its card in a mail shows it. */
export interface LetterDealCard {
  title: string;
  store: string;
  /** Null where its store forbids to show a price that may be old. */
  price: string | null;
  was: string | null;
  /** "40% off" */
  off: string | null;
  notes: string[];
  href: string;
  /** Absolute, and our own. */
  picture: string | null;
}

/** A deal of a newsletter that its readers will not see. */
export interface LeftOutDeal {
  id: number;
  title: string;
  reason: 'gone' | 'over';
}
