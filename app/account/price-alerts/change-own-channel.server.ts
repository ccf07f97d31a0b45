import { data, redirect } from 'react-router';
import { z } from 'zod';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import {
  addAlertChannel,
  proveAlertChannel,
} from '#app/features/alert-channels/add-alert-channel.server.ts';
import { alertChannelMessages } from '#app/features/alert-channels/alert-channel-messages.ts';
import { removeAlertChannel } from '#app/features/alert-channels/end-alert-channel.server.ts';
import {
  fieldsOfOwn,
  isOwnChannelKind,
  type OwnChannelKind,
} from '#app/features/alert-channels/own-channel-kinds.ts';
import { settingInputs } from '#app/features/channels/channel-input.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { retryAfter } from '#app/platform/rate-limit.server.ts';
import type { Post } from '#app/platform/read-post.server.ts';

export const channelIntents = ['add-channel', 'prove-channel', 'remove-channel'];

const listPath = '/price-alerts';

const refuse = (channelError: string, status: number, headers = {}) =>
  data({ error: null, channelError }, { status, headers });

/** Adds a person's own channel, checks the code that it received, or removes it. */
export async function changeOwnChannel(post: Post, user: SessionUser) {
  const { services, db, text, rowId, intent } = post;
  const id = rowId('id') ?? 0;
  if (intent === 'remove-channel') {
    if (!(await removeAlertChannel(db, id, user.id))) {
      return refuse(alertChannelMessages.gone, 404);
    }
    throw redirect(`${listPath}?channel-removed#channels`, 303);
  }
  if (intent === 'prove-channel') {
    const outcome = await proveAlertChannel(services, user.id, id, text('code'));
    if (outcome === 'proved') throw redirect(`${listPath}?channel-proved#channels`, 303);
    const isWrong = outcome === 'wrong';
    return refuse(alertChannelMessages[isWrong ? 'wrongCode' : 'codeEnded'], 422);
  }
  const kind = text('kind');
  // Alerts could reach a stranger until the email is verified. The database enforces this as well.
  if (!user.emailVerified) return refuse(alertChannelMessages.unproved, 403);
  if (!isOwnChannelKind(kind)) return refuse(alertChannelMessages.gone, 422);
  return addChannel(post, user.id, kind);
}

async function addChannel({ services, form }: Post, userId: string, kind: OwnChannelKind) {
  const read = z
    .object(settingInputs(fieldsOfOwn(kind), false))
    .safeParse(Object.fromEntries(form));
  if (!read.success) {
    return data({ error: null, errors: fieldErrors(read.error) }, { status: 422 });
  }
  const settings = Object.entries(read.data).map(([name, value]) => [
    name.replace('setting.', ''),
    value,
  ]);
  const added = await addAlertChannel(services, {
    userId,
    kind,
    settings: Object.fromEntries(settings),
  });
  if (added.ok) throw redirect(`${listPath}?channel-added#channels`, 303);
  const { message, status, retryAfterSeconds } = added;
  const headers = retryAfterSeconds === undefined ? {} : retryAfter({ retryAfterSeconds });
  return refuse(message, status, headers);
}
