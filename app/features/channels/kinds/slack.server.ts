import {
  bearer,
  type CallChannel,
  type ChannelKind,
  type ChannelMessage,
  ChannelRefusal,
  type ChannelSettings,
  textOf,
} from '#app/features/channels/channel-kind.server.ts';

/**
 * Posts as a bot. The id includes the channel's id, which an edit requires: `C01 1503435956.00`.
 *
 * https://docs.slack.dev/reference/methods/chat.postMessage
 * https://docs.slack.dev/reference/methods/chat.update
 */
export const slack: ChannelKind = {
  // The text of a section.
  longest: 3_000,
  // One message a second: https://docs.slack.dev/apis/web-api/rate-limits
  gapSeconds: 1.2,
  escape: (value) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  async post(call, settings, message) {
    const answer = await send(call, settings, 'chat.postMessage', message, {
      channel: settings['channel'],
      unfurl_links: false,
    });
    return `${textOf(answer, 'channel')} ${textOf(answer, 'ts')}`;
  },
  async edit(call, settings, message, id) {
    const [channel, ts] = id.split(' ');
    await send(call, settings, 'chat.update', message, { channel, ts });
  },
};

/** Sends a message with its picture, or without one that Slack can't fetch. */
async function send(
  call: CallChannel,
  settings: ChannelSettings,
  method: string,
  { text, picture }: ChannelMessage,
  fields: object,
) {
  const section = { type: 'section', text: { type: 'mrkdwn', text } };
  const image = picture && { type: 'image', image_url: picture.url, alt_text: picture.alt };
  const plain = { ...fields, text, blocks: [section] };
  if (!image) return ask(call, settings, method, plain);
  try {
    return await ask(call, settings, method, { ...plain, blocks: [section, image] });
  } catch (error) {
    const isPicture = error instanceof ChannelRefusal && /invalid_blocks/.test(error.message);
    if (!isPicture) throw error;
    return ask(call, settings, method, plain);
  }
}

/** Slack responds to errors with 200, and to too many requests with 429. */
async function ask(call: CallChannel, settings: ChannelSettings, method: string, json: object) {
  const server = settings['server'] ?? 'https://slack.com';
  const answer = await call({
    url: `${server}/api/${method}`,
    json,
    headers: bearer(settings['token']),
  });
  const error = textOf(answer, 'error');
  if (error === null) return answer;
  const isPassing = /^(?:internal_error|fatal_error|service_unavailable|ratelimited)$/.test(error);
  throw new ChannelRefusal(isPassing ? 503 : 400, `responded with “${error}”`);
}
