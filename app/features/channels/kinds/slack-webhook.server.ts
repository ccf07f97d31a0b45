import type { ChannelKind } from '#app/features/channels/channel-kind.server.ts';
import {
  escapeForSlack,
  longestSlackText,
  sendMessage,
  slackGapSeconds,
} from './slack-message.server.ts';

/**
 * Posts through an incoming webhook, which belongs to one channel. Slack responds with the text
 * `ok`, so there is no id to edit.
 *
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 */
export const slackWebhook: ChannelKind = {
  longest: longestSlackText,
  gapSeconds: slackGapSeconds,
  escape: escapeForSlack,
  async post(call, settings, message) {
    await sendMessage(message, (content) =>
      call({ url: settings['url'] ?? '', json: { ...content, unfurl_links: false } }),
    );
    return null;
  },
};
