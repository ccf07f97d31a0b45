import { data } from 'react-router';
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
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import { accountMeta } from './account-panel.tsx';
import { logoutTexts } from './logout-texts.ts';
import styles from './logout-page.module.css';

/**
 * Ends the session on the server, then clears the cookie. Opening the page does not end the
 * session. With JavaScript, the sign-out forms of other pages open this page, which then shows each
 * step.
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
  // Without JavaScript, the browser opens the homepage automatically.
  if (actionHeaders.has('set-cookie')) actionHeaders.set('refresh', '1; url=/');
  return actionHeaders;
}

export const meta = accountMeta('Logout');

/**
 * Renders the logout page. With JavaScript, `log-out.ts` ends the session and shows each step in a
 * copy of the template.
 */
export default function LogoutPage({ actionData }: Route.ComponentProps) {
  const isDone = actionData?.isDone === true;
  return (
    <NarrowPage title="Logout">
      <div data-logout={isDone ? 'done' : actionData ? 'begun' : 'asked'}>
        {isDone ? (
          <Progress percent={100} text={logoutTexts.completed} />
        ) : (
          <form method="post" className={forms.stack}>
            <Button type="submit" variant="primary" isWide>
              Sign Out
            </Button>
          </form>
        )}
        <template data-when="logging-out">
          <div>
            <Progress percent={0} text="" />
          </div>
        </template>
      </div>
    </NarrowPage>
  );
}

function Progress({ percent, text }: { percent: number; text: string }) {
  return (
    <>
      <progress className={styles.bar} max={100} value={percent} aria-label="Logout" />
      <p role="status">{text}</p>
    </>
  );
}
