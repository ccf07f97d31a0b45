/** A form of the page as data: what pressing its button sends. */
export interface FlashAct {
  label: string;
  action: string;
  fields: Record<string, string>;
}

/** What the page after a redirect says once: the outcome of the form before it. */
export interface Flash {
  /** New for each, so that the same words twice are said twice. */
  id: string;
  text: string;
  kind: 'info' | 'error';
  /** The address it is said at, without its search. */
  at: string;
  /** Takes the act back, while it can be taken back. */
  undo?: FlashAct;
}
