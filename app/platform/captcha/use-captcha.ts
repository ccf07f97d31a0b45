import { type RefObject, useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { useIsHydrated } from '#app/platform/use-is-hydrated.ts';
import type { CaptchaProvider } from './captcha-messages.ts';
import {
  type CaptchaEvent,
  type CaptchaState,
  nextCaptchaState,
  unverified,
} from './captcha-state.ts';
import type { CaptchaTask } from './captcha-task.ts';
import { loadHcaptcha } from './hcaptcha-script.ts';
import { canSolveChallenges, solveChallenge } from './solve-challenge.ts';

export interface Captcha extends CaptchaState {
  /**
   * Whether the submit button is shown as disabled: JavaScript runs and the check has not passed
   * yet.
   */
  isBlocking: boolean;
  /** Whether this browser can run the check. If not, the server asks a question. */
  isPossible: boolean;
  /** Starts the check, unless it is running or has passed. */
  start(): void;
  /**
   * Returns whether a submitted form has to wait for the check. The check starts then, and submits
   * the form once it has passed.
   */
  holds(form: HTMLFormElement): boolean;
  /**
   * Resets the check. Call this after every attempt, since a token is valid only once. A check that
   * needs no interaction restarts if another attempt follows.
   */
  reset(next: 'again' | 'done'): void;
  /** The element in which an outside provider draws its widget. */
  widgetRef: RefObject<HTMLDivElement | null>;
}

/** ms; the server allows ten minutes from when it issues the puzzle */
const solutionLivesForMs = 9 * 60_000;

/** Returns the check of one form, whatever the provider. No other code depends on its states. */
export function useCaptcha(): Captcha {
  const [state, send] = useReducer(nextCaptchaState, unverified);
  const isHydrated = useIsHydrated();
  const [isPossible, setIsPossible] = useState(true);
  const run = useRef<AbortController | null>(null);
  const widgetRef = useRef<HTMLDivElement>(null);
  const widgetId = useRef<string | null>(null);

  useEffect(() => () => run.current?.abort(), []);

  const start = useCallback(() => {
    if (run.current) return;
    const controller = new AbortController();
    run.current = controller;
    const isOver = () => controller.signal.aborted;
    let provider: CaptchaProvider = 'ALTCHA';
    const end = (event: CaptchaEvent) => {
      if (isOver()) return;
      run.current = null;
      send(event);
    };
    send({ type: 'start' });
    void (async () => {
      const task = await askForTask(controller.signal);
      provider = task.provider;
      if (task.provider === 'ALTCHA') {
        if (!canSolveChallenges()) {
          setIsPossible(false);
          send({ type: 'reset' });
          return;
        }
        const token = await solveChallenge(task.challenge, controller.signal);
        if (isOver()) return;
        send({ type: 'verify', token });
        const timer = setTimeout(() => end({ type: 'expire', provider }), solutionLivesForMs);
        controller.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
        return;
      }
      const hcaptcha = await loadHcaptcha();
      if (isOver() || !widgetRef.current) return;
      send({ type: 'reset' }); // The widget shows its own progress.
      if (widgetId.current !== null) return hcaptcha.reset(widgetId.current);
      widgetId.current = hcaptcha.render(widgetRef.current, {
        sitekey: task.siteKey,
        theme: 'light',
        size: 'normal',
        tabindex: 0,
        callback: (token) => send({ type: 'verify', token }),
        'expired-callback': () => send({ type: 'expire', provider: 'hCaptcha' }),
        'error-callback': (code) => send({ type: 'error', provider: 'hCaptcha', message: code }),
      });
    })().catch((error: unknown) => {
      const message = error instanceof Error ? error.message : undefined;
      end({ type: 'error', provider, message });
    });
  }, []);

  const reset: Captcha['reset'] = useCallback(
    (next) => {
      run.current?.abort();
      run.current = null;
      send({ type: 'reset' });
      if (widgetId.current !== null) window.hcaptcha?.reset(widgetId.current);
      else if (next === 'again') start();
    },
    [start],
  );

  const isBlocking = isHydrated && isPossible && !state.isVerified;
  const holds = useHeldForm({ isBlocking, error: state.error, start });
  return { ...state, isBlocking, isPossible, start, holds, reset, widgetRef };
}

/**
 * Holds a form that was submitted too early, perhaps before its scripts ran. No input is lost, and
 * the form is submitted once the check has passed.
 */
function useHeldForm({
  isBlocking,
  error,
  start,
}: Pick<Captcha, 'isBlocking' | 'error' | 'start'>): Captcha['holds'] {
  const held = useRef<HTMLFormElement | null>(null);

  useEffect(() => {
    const form = held.current;
    if (isBlocking && !error) return;
    held.current = null;
    // After an error, the form shows the reason, and visitors must submit it again themselves.
    if (!error) form?.requestSubmit();
  }, [isBlocking, error]);

  return (form) => {
    if (isBlocking) {
      held.current = form;
      start();
    }
    return isBlocking;
  };
}

async function askForTask(signal: AbortSignal): Promise<CaptchaTask> {
  const response = await fetch('/api/captcha/challenge', { signal });
  if (!response.ok) throw new Error(`the server responded with status ${response.status}`);
  return response.json();
}
