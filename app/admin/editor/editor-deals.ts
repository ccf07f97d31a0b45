/** A deal as shown in the editor. */
export interface EditorDeal {
  id: number;
  title: string;
  /** A note such as "$19.99 at Lamp House". */
  note: string;
  picture: string | null;
  /** Whether email readers will not see the deal, because it is deleted or expired. */
  isLost: boolean;
}

/** The deals that can be inserted. */
export interface EditorDeals {
  /** The URL that returns `{ deals }` for `?q=`. */
  search: string;
  /** Deals that the content already has. */
  known: readonly EditorDeal[];
}
