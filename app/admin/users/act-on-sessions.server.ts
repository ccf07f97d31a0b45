import { data } from 'react-router';
import { endSessionsOf } from '#app/features/accounts/people/end-others-sessions.server.ts';
import { describeRefusal, userMessages } from '#app/features/accounts/people/user-messages.ts';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { listAddress, redirectWithError, redirectWithFlash } from '../frame/flash.server.ts';
import type { Context } from '../frame/read-or-fail.server.ts';

/** Ends one session of a colleague, or all of them. */
export async function actOnSessions(
  request: Request,
  context: Context,
  {
    viewer,
    userId,
    values,
  }: { viewer: SessionUser; userId: string; values: Record<string, string> },
) {
  const isAll = values['intent'] === 'end-sessions';
  const sessionId = isAll ? null : (values['session'] ?? '');
  if (!viewer.rights.has('users.suspend')) throw data(null, { status: 403 });
  const { db, log } = appServices(context);
  const done = await endSessionsOf(db, { actor: viewer.id, userId, sessionId });
  const here = listAddress(request);
  if (!done.ok) return redirectWithError(context, here, describeRefusal(done.reason));
  const { ended } = done;
  log.info({ event: 'sessions-ended', userId, by: viewer.id, ended }, 'sessions ended');
  const { sessionEnded, sessionGone, signedOut } = userMessages;
  return redirectWithFlash(
    context,
    here,
    ended === 0 ? sessionGone : isAll ? signedOut : sessionEnded,
  );
}
