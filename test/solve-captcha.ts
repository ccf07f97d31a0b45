import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { issueChallenge } from '#app/platform/captcha/altcha.server.ts';

/** A token as a visitor's browser would earn it. It is good for one form. */
export async function solveCaptcha(services: Pick<AppServices, 'db' | 'now'>): Promise<string> {
  const challenge = await issueChallenge(services);
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('the puzzle has no solution');
  return btoa(JSON.stringify({ challenge, solution }));
}
