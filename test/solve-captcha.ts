import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { issueChallenge } from '#app/platform/captcha/altcha.server.ts';

/**
 * A challenge that is signed like any other and solved in a moment. `verify-captcha.test.ts` solves
 * one that is as hard as a visitor's.
 */
const easy = { cost: 1, fewestGuesses: 1, mostGuesses: 5 };

/** A token like a visitor's browser would get. The token is valid for one form. */
export async function solveCaptcha(services: Pick<AppServices, 'db' | 'now'>): Promise<string> {
  const challenge = await issueChallenge(services, easy);
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('the puzzle has no solution');
  return btoa(JSON.stringify({ challenge, solution }));
}
