import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { issueChallenge } from '#app/platform/captcha/altcha.server.ts';

/**
 * A challenge signed like any other, but quick to solve. `verify-captcha.test.ts` solves one of
 * full difficulty.
 */
const easy = { cost: 1, fewestGuesses: 1, mostGuesses: 5 };

/** Returns a token, valid for one form, as a visitor's browser would get it. */
export async function solveCaptcha(services: Pick<AppServices, 'db' | 'now'>): Promise<string> {
  const challenge = await issueChallenge(services, easy);
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('the puzzle has no solution');
  return btoa(JSON.stringify({ challenge, solution }));
}
