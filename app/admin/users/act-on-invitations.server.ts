import { data } from 'react-router';
import {
  describeInvitationRefusal,
  invitationMessages,
} from '#app/features/accounts/people/invitation-messages.ts';
import {
  resendInvitation,
  withdrawInvitation,
} from '#app/features/accounts/people/invite-staff.server.ts';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { listAddress, redirectWithError, redirectWithFlash } from '../frame/flash.server.ts';

/** Handles the actions on open invitations. */
export async function actOnInvitations(
  request: Request,
  context: Parameters<typeof readPost>[0],
  viewer: SessionUser,
) {
  const { services, db, intent, rowId } = await readPost(context, request);
  const here = listAddress(request);
  const id = rowId('id') ?? 0;
  const { gone, sentAgain, withdrawn } = invitationMessages;
  if (intent === 'withdraw-invitation') {
    const isDone = await withdrawInvitation(db, viewer.id, id);
    return isDone
      ? redirectWithFlash(context, here, withdrawn)
      : redirectWithError(context, here, gone);
  }
  if (intent !== 'resend-invitation') return data(null, { status: 400 });
  const sent = await resendInvitation(services, viewer, id);
  if (sent?.ok) return redirectWithFlash(context, here, sentAgain(sent.email));
  return redirectWithError(context, here, sent ? describeInvitationRefusal(sent.reason) : gone);
}
