/** A deal as the editor shows it. */
export interface EditorDeal {
  id: number;
  title: string;
  /** "$19.99 at Lamp House" */
  note: string;
  picture: string | null;
  /** Readers of the mail will not see it: it is gone or over. */
  isLost: boolean;
}

/** Deals that may be put into a text. */
export interface EditorDeals {
  /** Answers `{ deals }` for `?q=`. */
  search: string;
  /** Those that stand in it already. */
  known: readonly EditorDeal[];
}
