import {
  bearer,
  type CallChannel,
  type ChannelKind,
  ChannelRefusal,
  type ChannelSettings,
  textOf,
} from '#app/features/channels/channel-kind.server.ts';
import {
  escapeForSlack,
  longestSlackText,
  sendMessage,
  slackGapSeconds,
} from './slack-message.server.ts';

/**
 * Posts as a bot. The id includes the channel's id, which an edit requires: `C01 1503435956.00`.
 *
 * https://docs.slack.dev/reference/methods/chat.postMessage
 * https://docs.slack.dev/reference/methods/chat.update
 */
export const slack: ChannelKind = {
  longest: longestSlackText,
  gapSeconds: slackGapSeconds,
  escape: escapeForSlack,
  async post(call, settings, message) {
    const answer = await sendMessage(message, (content) =>
      ask(call, settings, 'chat.postMessage', {
        channel: settings['channel'],
        unfurl_links: false,
        ...content,
      }),
    );
    return `${textOf(answer, 'channel')} ${textOf(answer, 'ts')}`;
  },
  async edit(call, settings, message, id) {
    const [channel, ts] = id.split(' ');
    await sendMessage(message, (content) =>
      ask(call, settings, 'chat.update', { channel, ts, ...content }),
    );
  },
};

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
