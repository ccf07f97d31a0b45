import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';

/** Runs beside the page, so that typing stays smooth. Answers the form's token, or '' when there is no solution. */
self.addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  solveChallenge({ challenge: data, deriveKey }).then(
    (solution) => postMessage(solution ? btoa(JSON.stringify({ challenge: data, solution })) : ''),
    () => postMessage(''),
  );
});
