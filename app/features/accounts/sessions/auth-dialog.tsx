import { useEffect, useRef, useState } from 'react';
import forms from '#app/ui/form.module.css';
import { Icon } from '#app/ui/icon.tsx';
import { useAccountPost } from '../account-form.tsx';
import { SignInForm, SignUpForm } from '../passwords/credential-forms.tsx';
import { type AccountFacts, ViewerProvider } from './viewer-context.tsx';
import formStyles from '../account-form.module.css';
import styles from './auth-dialog.module.css';

const closesAfterMs = 1000;
const switchesBackAfterMs = 2000;

interface AuthDialogProps extends Pick<AccountFacts, 'passwordMinLength' | 'providers'> {
  onClose: () => void;
}

/** Shows Sign In and Sign Up in a dialog, with the same forms as their pages. */
export function AuthDialog({ onClose, ...facts }: AuthDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isSigningUp, setIsSigningUp] = useState(false);

  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  // Focuses the first field, not the Close button, and again after switching forms.
  useEffect(() => {
    const first = isSigningUp ? 'full_name' : 'email';
    dialog.current?.querySelector<HTMLInputElement>(`input[name="${first}"]`)?.focus();
  }, [isSigningUp]);

  function welcome(): void {
    dialog.current?.close();
    // Reloads the page for the signed-in user.
    location.reload();
  }

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
        <div className="line spread">
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
        <ViewerProvider {...facts} viewer={null}>
          {/* The mode is the key, so that switching clears fields, messages and captcha. */}
          {isSigningUp ? (
            <SignUpInDialog key="up" onDone={() => setIsSigningUp(false)} />
          ) : (
            <SignInInDialog key="in" onDone={welcome} />
          )}
        </ViewerProvider>
        <p className={formStyles.switch}>
          <button type="button" onClick={() => setIsSigningUp(!isSigningUp)}>
            {isSigningUp ? 'Already have an account? Sign in' : "Don't have an account? Sign up"}
          </button>
        </p>
      </div>
    </dialog>
  );
}

function SignInInDialog({ onDone }: { onDone: () => void }) {
  const post = useAccountPost();
  const [isByPasskey, setIsByPasskey] = useState(false);
  useAfter(isByPasskey || (post.answer?.ok ?? false), closesAfterMs, onDone);
  return <SignInForm post={post} returnTo={here()} onPasskey={() => setIsByPasskey(true)} />;
}

function SignUpInDialog({ onDone }: { onDone: () => void }) {
  const post = useAccountPost();
  useAfter(post.answer?.ok ?? false, switchesBackAfterMs, onDone);
  return <SignUpForm post={post} returnTo={here()} />;
}

/** Returns the address that the provider redirects to: the page under the dialog. */
const here = () => location.pathname + location.search;

/** Calls `then` once, `ms` after `isDone` became true. */
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
