import type { Challenge } from 'altcha-lib';

/** What the server asks of a browser: to solve a puzzle, or to show the outside provider's widget. */
export type CaptchaTask =
  | { provider: 'ALTCHA'; challenge: Challenge }
  | { provider: 'hCaptcha'; siteKey: string };
