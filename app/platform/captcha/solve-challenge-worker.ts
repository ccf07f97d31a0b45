import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';

/**
 * Solves the puzzle in a worker, so that typing stays smooth. Returns the form's token, or ''
 * without a solution.
 */
self.addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  solveChallenge({ challenge: data, deriveKey }).then(
    (solution) => postMessage(solution ? btoa(JSON.stringify({ challenge: data, solution })) : ''),
    () => postMessage(''),
  );
});
