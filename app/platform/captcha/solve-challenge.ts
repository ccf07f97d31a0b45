import type { Challenge } from 'altcha-lib';

/**
 * Returns whether the browser has Web Crypto and workers. Web Crypto exists on https and localhost
 * only. Elsewhere the server asks a question.
 */
export function canSolveChallenges(): boolean {
  return typeof Worker === 'function' && globalThis.crypto?.subtle !== undefined;
}

/** Returns the token of the solved puzzle. */
export function solveChallenge(challenge: Challenge, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./solve-challenge-worker.ts', import.meta.url), {
      type: 'module',
    });
    const end = (act: () => void) => {
      worker.terminate();
      act();
    };
    signal.addEventListener('abort', () => end(() => reject(signal.reason)), { once: true });
    worker.addEventListener('message', ({ data }: MessageEvent<string>) => {
      end(() => (data ? resolve(data) : reject(new Error('no solution was found'))));
    });
    worker.addEventListener('error', () =>
      end(() => reject(new Error('the solver did not start'))),
    );
    worker.postMessage(challenge, []);
  });
}
