import { answerContactMessage } from '#app/features/contact/answer-contact-message.server.ts';
import { assignContactMessages } from '#app/features/contact/assign-contact-messages.server.ts';
import { answerInput } from '#app/features/contact/contact-input.ts';
import type { InboxVerb } from '#app/features/contact/inbox-messages.ts';
import { inboxMessages } from '#app/features/contact/inbox-messages.ts';
import { readForm } from '#app/features/accounts/account-input.ts';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { backToList } from '../frame/back-to-list.ts';
import { redirectWithError, redirectWithFlash } from '../frame/flash.server.ts';
import { refuseForm, typedValues } from '../frame/form-outcome.ts';
import type { Context } from '../frame/read-or-fail.server.ts';
import { actOnMessages } from './act-on-messages.server.ts';

const staysHere: ReadonlySet<InboxVerb> = new Set(['unread', 'take', 'reopen']);
const path = '/admin/messages';

/**
 * Handles the posts of a message's page: answers and assignment here, and other actions as in the
 * list.
 */
export async function actOnMessage(
  request: Request,
  context: Context & Parameters<typeof readPost>[0],
  { viewer, id }: { viewer: SessionUser; id: number },
) {
  const list = backToList(request.url, path);
  const here = list.replace(path, `${path}/${id}`);
  const again = request.clone();
  const { db, form, text, intent } = await readPost(context, request);
  if (intent === 'answer') return answer();
  if (intent === 'assign') return assign();
  return actOnMessages(again, context, (verb) => (staysHere.has(verb) ? here : list));

  async function answer() {
    const values = typedValues(form);
    const read = readForm(answerInput, form);
    if (!read.ok) {
      const { op, ...errors } = read.errors;
      return refuseForm({ values, errors, ...(op && { message: 'Please reload the page.' }) });
    }
    const isLast = text('close') !== '';
    const sent = await answerContactMessage(db, {
      messageId: id,
      actor: viewer.id,
      op: read.value.op,
      body: read.value.answer,
      isLast,
    });
    const { answered, answeredAndClosed, badAddress, gone } = inboxMessages;
    if (sent.ok) {
      const words = isLast ? answeredAndClosed(sent.email) : answered(sent.email);
      return redirectWithFlash(context, isLast ? list : here, words);
    }
    if (sent.reason === 'missing') return redirectWithError(context, list, gone);
    return refuseForm({ values, message: badAddress });
  }

  async function assign() {
    const to = text('to') || null;
    const done = await assignContactMessages(db, { ids: [id], to, actor: viewer.id });
    if (!done.ok) return redirectWithError(context, here, inboxMessages.notStaff);
    const { assigned, unassigned } = inboxMessages;
    return redirectWithFlash(context, here, done.to === null ? unassigned : assigned(done.to));
  }
}
