/** A deal as shown in the editor. */
export interface EditorDeal {
  id: number;
  title: string;
  /** For example "$19.99 at Lamp House". */
  note: string;
  picture: string | null;
  /** Whether email readers will not see it, because it is deleted or expired. */
  isLost: boolean;
}

/** The deals that can be inserted. */
export interface EditorDeals {
  /** Returns `{ deals }` for `?q=`. */
  search: string;
  /** Deals that the content already has. */
  known: readonly EditorDeal[];
}
