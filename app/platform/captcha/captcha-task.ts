import type { Challenge } from 'altcha-lib';

/**
 * The task that the server gives a browser: solve a puzzle, or show the outside provider's widget.
 */
export type CaptchaTask =
  | { provider: 'ALTCHA'; challenge: Challenge }
  | { provider: 'hCaptcha'; siteKey: string };
