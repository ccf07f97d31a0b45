/** What a look at the site found: of `deals doctor` and of the dashboard. */
export interface Finding {
  name: string;
  state: 'ok' | 'warning' | 'problem';
  says: string;
  /** What to do about it. */
  mend?: string;
}
