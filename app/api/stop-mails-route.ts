import { redirect } from 'react-router';
import type { Route } from './+types/stop-mails-route';
import { stopByLinkOfMessage } from '#app/features/alert-channels/end-alert-channel.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readStopToken } from '#app/platform/mail/stop-token.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { answerPlain } from './answer-conditionally.server.ts';

/** Redirects to the unsubscribe page. Only a POST changes anything. */
export function loader({ request }: Route.LoaderArgs) {
  return redirect(`/stop-mails${new URL(request.url).search}`);
}

/**
 * Handles one-click unsubscribe (RFC 8058). Email clients send no cookies, so the signed token
 * authorizes the request.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { db } = appServices(context);
  const asked = await readStopToken(db, new URL(request.url).searchParams.get('token') ?? '');
  const form = await readFormBody(request).catch(() => null);
  const isDone = asked !== null && form?.get('List-Unsubscribe') === 'One-Click';
  if (!isDone) return answerPlain(400, 'This is not a valid request.');
  await stopByLinkOfMessage(db, asked);
  return answerPlain(200, 'Stopped.');
}
