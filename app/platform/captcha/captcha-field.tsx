import { useEffect, useId, useRef } from 'react';
import { useIsHydrated } from '#app/platform/use-is-hydrated.ts';
import { captchaFields } from './captcha-messages.ts';
import type { CaptchaQuestion } from './ask-question.server.ts';
import type { Captcha } from './use-captcha.ts';
import styles from './captcha-field.module.css';

/**
 * Renders the captcha, inside the `<form>` and above its button. The captcha starts when the
 * visitor focuses the form. `question` comes from the action after a form without a token, and
 * replaces the captcha.
 */
export function CaptchaField({
  captcha,
  question,
  isQuiet = false,
}: {
  captcha: Captcha;
  question?: CaptchaQuestion | null;
  /** Whether the box appears only once the form is touched. */
  isQuiet?: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  const answerId = useId();
  const { start, isPossible, isVerified, token, error, widgetRef } = captcha;
  const isHydrated = useIsHydrated();
  // The question is shown after a form without a token. If JavaScript runs after all, the puzzle is
  // easier for visitors.
  const isAsked = question && !isVerified && !(isHydrated && isPossible);
  const state = stateOf(captcha);

  useEffect(() => {
    const form = box.current?.closest('form');
    if (!form || !isPossible) return undefined;
    const events = ['focusin', 'pointerdown', 'pointerenter'].filter(
      // A pointer that passes over a form in the footer must not open the box.
      (name) => name !== 'pointerenter' || !form.closest('footer'),
    );
    const begin = () => start();
    for (const name of events) form.addEventListener(name, begin);
    // The visitor focused the form before the script ran.
    if (form.contains(document.activeElement)) begin();
    return () => {
      for (const name of events) form.removeEventListener(name, begin);
    };
  }, [start, isPossible]);

  return (
    <div ref={box} className="stack gap-2" data-captcha>
      {token && <input type="hidden" name={captchaFields.token} value={token} />}
      {isPossible && !isAsked && (
        <div
          className={styles.box}
          data-needs-js
          data-state={state}
          data-quiet={isQuiet || undefined}
        >
          <div ref={widgetRef} className={styles.widget} />
          <button type="button" className={styles.check} onClick={start}>
            <span className={styles.mark} aria-hidden="true" />
            {/* The text has no `role="status"`, since a button's name would not include it. */}
            <span aria-live="polite">{labels[state]}</span>
          </button>
        </div>
      )}
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      {isAsked ? (
        <div className="stack gap-1">
          <input type="hidden" name={captchaFields.question} value={question.token} />
          <label htmlFor={answerId}>{question.text}</label>
          <input
            id={answerId}
            name={captchaFields.answer}
            className={styles.answer}
            autoComplete="off"
            required
            maxLength={20}
          />
        </div>
      ) : (
        <p className="small" data-without-js={isPossible || undefined}>
          To keep bots out, you answer one short question after you send this form.
        </p>
      )}
    </div>
  );
}

const labels = {
  idle: 'Verify that you are human',
  working: 'Verifying…',
  verified: 'Verified',
  failed: 'Try the verification again',
} as const;

function stateOf({ isLoading, isVerified, error }: Captcha): keyof typeof labels {
  if (isVerified) return 'verified';
  if (isLoading) return 'working';
  return error ? 'failed' : 'idle';
}
