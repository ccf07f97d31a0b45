import { useEffect, useRef, useState } from 'react';
import { data, useRevalidator } from 'react-router';
import type { Route } from './+types/logout-page';
import { cookieHeaders } from '#app/features/accounts/answer-form.server.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { endSessionCookie } from '#app/features/accounts/sessions/session-cookie.server.ts';
import { endSession } from '#app/features/accounts/sessions/session-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import forms from '#app/ui/form.module.css';
import { Button } from '#app/ui/button.tsx';
import { accountMeta, AccountPanel } from './account-panel.tsx';
import { forgetAccount } from './forget-account.ts';
import styles from './logout-page.module.css';

const leavesAfterMs = 1000;
const eachStepShownForMs = 150;
const completed = 'Logout completed. Redirecting...';
/** The session has ended, but the browser refused to clear its storage. */
const completedWithWarnings = 'Logout completed with warnings. Redirecting...';

/**
 * Ends the session on the server, then clears the cookie. Opening the page ends nothing. With
 * JavaScript, the sign-out forms of other pages open this page, which then shows each step.
 */
export async function action({ context, request }: Route.ActionArgs) {
  const { db, env, log } = appServices(context);
  const form = await readFormBody(request);
  if (readText(form, 'steps') === 'shown') return { isDone: false };
  const user = currentUser(context);
  if (user) {
    await endSession(db, user.id, user.sessionId);
    log.info({ event: 'sign-out', userId: user.id }, 'signed out');
  }
  return data({ isDone: true }, { headers: cookieHeaders([endSessionCookie(env.origin)]) });
}

export function headers({ actionHeaders }: Route.HeadersArgs) {
  // Without JavaScript, the browser goes to the homepage by itself.
  if (actionHeaders.has('set-cookie')) actionHeaders.set('refresh', '1; url=/');
  return actionHeaders;
}

export const meta = accountMeta('Logout');

interface Progress {
  percent: number;
  text: string;
}

const failed: Progress = {
  percent: 25,
  text: 'The site could not be reached, so you are still signed in. Please try again.',
};

export default function LogoutPage({ actionData }: Route.ComponentProps) {
  const [progress, setProgress] = useState<Progress | null>(
    actionData?.isDone ? { percent: 100, text: completed } : null,
  );
  const { revalidate } = useRevalidator();
  const isBegun = useRef(false);
  const begin = () => void logOut(setProgress, revalidate);

  useEffect(() => {
    if (!actionData || isBegun.current) return;
    isBegun.current = true; // React's strict mode runs effects twice.
    if (actionData.isDone) forgetAccount();
    else begin();
  });

  return (
    <AccountPanel title="Logout">
      {progress ? (
        <>
          <progress className={styles.bar} max={100} value={progress.percent} aria-label="Logout" />
          <p role="status">{progress.text}</p>
        </>
      ) : null}
      {progress === null || progress === failed ? (
        <form
          method="post"
          className={forms.stack}
          onSubmit={(event) => {
            event.preventDefault();
            begin();
          }}
        >
          <Button type="submit" look="primary" isWide>
            Sign Out
          </Button>
        </form>
      ) : null}
    </AccountPanel>
  );
}

/** Each step of the progress bar is a step that was completed. */
async function logOut(
  show: (progress: Progress) => void,
  revalidate: () => Promise<void>,
): Promise<void> {
  /** Shows the step for a moment, since the next one often completes at once. */
  const step = (percent: number, text: string) => {
    show({ percent, text });
    return new Promise((resolve) => setTimeout(resolve, eachStepShownForMs));
  };
  void step(25, 'Signing out...');
  const isEnded = await fetch('/logout', {
    method: 'POST',
    body: new URLSearchParams(),
    headers: { accept: 'application/json' },
  }).then(
    (answer) => answer.ok,
    () => false,
  );
  if (!isEnded) return show(failed);
  await step(50, 'Your session has ended.');
  const isClean = forgetAccount();
  await step(75, 'Clearing this browser’s data...');
  await revalidate();
  await step(90, 'Almost done...');
  void step(100, isClean ? completed : completedWithWarnings);
  setTimeout(() => location.replace('/'), leavesAfterMs);
}
