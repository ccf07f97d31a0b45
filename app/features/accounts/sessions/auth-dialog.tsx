import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';

import forms from '#app/ui/form.module.css';
import { Icon } from '#app/ui/icon.tsx';
import { useAccountForm } from '../account-form.tsx';
import { SignInForm, SignUpForm } from '../passwords/credential-forms.tsx';
import formStyles from '../account-form.module.css';
import styles from './auth-dialog.module.css';

const closesAfterMs = 1000;
const switchesBackAfterMs = 2000;

/** Sign In and Sign Up over the page, with the same forms as their own pages. */
export function AuthDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isSigningUp, setIsSigningUp] = useState(false);

  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  // The first field, not the Close button; also after switching to the other form.
  useEffect(() => {
    const first = isSigningUp ? 'full_name' : 'email';
    dialog.current?.querySelector<HTMLInputElement>(`input[name="${first}"]`)?.focus();
  }, [isSigningUp]);

  const title = isSigningUp ? 'Sign Up' : 'Sign In';
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Escape closes a dialog by itself
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby="auth-dialog-title"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current.close();
      }}
    >
      <div className={`${forms.stack} ${styles.inside}`}>
        <div className={styles.head}>
          <h2 id="auth-dialog-title">{title}</h2>
          <button
            type="button"
            className={styles.close}
            aria-label="Close"
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </div>
        {/* Keyed by the mode: switching clears fields, messages and captcha. */}
        {isSigningUp ? (
          <SignUpInDialog key="up" onDone={() => setIsSigningUp(false)} />
        ) : (
          <SignInInDialog key="in" onDone={() => dialog.current?.close()} />
        )}
        <p className={formStyles.switch}>
          <button type="button" onClick={() => setIsSigningUp(!isSigningUp)}>
            {isSigningUp ? 'Already have an account? Sign in' : "Don't have an account? Sign up"}
          </button>
        </p>
        {isSigningUp ? null : (
          <p className={formStyles.switch}>
            <a href="/forgot-password">Forgot password?</a>
          </p>
        )}
      </div>
    </dialog>
  );
}

function SignInInDialog({ onDone }: { onDone: () => void }) {
  const fetcher = useAccountForm();
  const [isByPasskey, setIsByPasskey] = useState(false);
  useAfter(isByPasskey || (fetcher.data?.ok ?? false), closesAfterMs, onDone);
  const here = useHere();
  return <SignInForm fetcher={fetcher} returnTo={here} onPasskey={() => setIsByPasskey(true)} />;
}

function SignUpInDialog({ onDone }: { onDone: () => void }) {
  const fetcher = useAccountForm();
  useAfter(fetcher.data?.ok ?? false, switchesBackAfterMs, onDone);
  return <SignUpForm fetcher={fetcher} returnTo={useHere()} />;
}

/** Where a provider sends them back to: the page under the dialog. */
function useHere(): string {
  const { pathname, search } = useLocation();
  return pathname + search;
}

/** Calls back once, `ms` after `isDone` became true. */
function useAfter(isDone: boolean, ms: number, then: () => void): void {
  const latest = useRef(then);
  useEffect(() => {
    latest.current = then;
  });
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => latest.current(), ms);
    return () => clearTimeout(timer);
  }, [isDone, ms]);
}
