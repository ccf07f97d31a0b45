import {
  bearer,
  breakMentions,
  type CallChannel,
  type ChannelKind,
  type ChannelMessage,
  type ChannelSettings,
  textOf,
} from '#app/features/channels/channel-kind.server.ts';

/**
 * Posts and edits statuses. With the idempotency key, requests that are repeated within an hour
 * create one status.
 *
 * https://docs.joinmastodon.org/methods/statuses/#create
 * https://docs.joinmastodon.org/methods/statuses/#edit
 * https://docs.joinmastodon.org/methods/media/#v2
 */
export const mastodon: ChannelKind = {
  longest: 500,
  // 300 requests in five minutes, and 30 pictures in 30 minutes:
  // https://docs.joinmastodon.org/api/rate-limits/
  gapSeconds: 5,
  escape: (value) => breakMentions(value).replace(/#/g, '#\u200B'),
  async post(call, settings, message) {
    const json = await status(call, settings, message);
    const url = `${settings['server']}/api/v1/statuses`;
    const headers = { ...bearer(settings['token']), 'idempotency-key': message.key };
    return textOf(await call({ url, json, headers }), 'id');
  },
  async edit(call, settings, message, id) {
    const json = await status(call, settings, message);
    const url = `${settings['server']}/api/v1/statuses/${encodeURIComponent(id)}`;
    await call({ url, method: 'PUT', json, headers: bearer(settings['token']) });
  },
};

async function status(
  call: CallChannel,
  settings: ChannelSettings,
  { text, picture }: ChannelMessage,
) {
  if (!picture) return { status: text };
  const answer = await call({
    url: `${settings['server']}/api/v2/media`,
    raw: multipart(await picture.read(), picture.alt),
    headers: bearer(settings['token']),
  });
  // A picture without an address is still being processed, and can't be used yet.
  const id = textOf(answer, 'url') && textOf(answer, 'id');
  return id === null ? { status: text } : { status: text, media_ids: [id] };
}

const boundary = '----deal-hub-5f1c2e9b7a';

function multipart(picture: Buffer, alt: string) {
  const part = (name: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`;
  const file = `${part('file')}; filename="deal.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`;
  const rest = `\r\n${part('description')}\r\n\r\n${alt}\r\n--${boundary}--\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(file), picture, Buffer.from(rest)]),
  };
}
