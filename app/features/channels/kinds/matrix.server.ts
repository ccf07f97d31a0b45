import { createHash } from 'node:crypto';
import {
  bearer,
  type CallChannel,
  type ChannelKind,
  type ChannelMessage,
  type ChannelSettings,
  textOf,
} from '#app/features/channels/channel-kind.server.ts';

/**
 * Sends plain messages, so that no character is markup, and mentions nobody. With the transaction
 * id, repeated requests create one message.
 *
 * https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid
 * https://spec.matrix.org/latest/client-server-api/#event-replacements
 */
export const matrix: ChannelKind = {
  // An event has at most 64 kB.
  longest: 4_000,
  // Synapse's usual `rc_message`: 0.2 a second.
  gapSeconds: 5,
  escape: (value) => value,
  async post(call, settings, message) {
    return send(call, settings, message.key, await content(call, settings, message));
  },
  async edit(call, settings, message, id) {
    const next = await content(call, settings, message);
    const hash = createHash('sha256').update(JSON.stringify(next)).digest('hex').slice(0, 16);
    await send(call, settings, `${message.key}-${hash}`, {
      ...next,
      body: `* ${message.text}`,
      'm.new_content': next,
      'm.relates_to': { rel_type: 'm.replace', event_id: id },
    });
  },
};

async function content(
  call: CallChannel,
  settings: ChannelSettings,
  { text, picture }: ChannelMessage,
) {
  const plain = { msgtype: 'm.text', body: text, 'm.mentions': {} };
  if (!picture) return plain;
  const answer = await call({
    url: `${settings['server']}/_matrix/media/v3/upload?filename=deal.jpg`,
    raw: { type: 'image/jpeg', body: await picture.read() },
    headers: bearer(settings['token']),
  });
  const info = { mimetype: 'image/jpeg', w: 1200, h: 630 };
  const url = textOf(answer, 'content_uri');
  // A body beside a file name is the caption (specification 1.10).
  return { ...plain, msgtype: 'm.image', filename: 'deal.jpg', url, info };
}

async function send(call: CallChannel, settings: ChannelSettings, txn: string, json: object) {
  const room = encodeURIComponent(settings['room'] ?? '');
  const path = `rooms/${room}/send/m.room.message/${encodeURIComponent(txn)}`;
  const url = `${settings['server']}/_matrix/client/v3/${path}`;
  const answer = await call({ url, method: 'PUT', json, headers: bearer(settings['token']) });
  return textOf(answer, 'event_id');
}
