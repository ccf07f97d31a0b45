import { type ChannelKind, textOf } from '#app/features/channels/channel-kind.server.ts';
import { shortenText } from '#app/platform/cut-text.ts';

/**
 * Sends plain text with the page and the picture.
 *
 * https://pushover.net/api#messages
 */
export const pushover: ChannelKind = {
  longest: 1_024,
  // Two requests at once, and 10,000 messages a month: https://pushover.net/api#friendly
  gapSeconds: 1,
  escape: (value) => value,
  async post(call, settings, { text, title, link, picture }) {
    const answer = await call({
      url: `${settings['server'] ?? 'https://api.pushover.net'}/1/messages.json`,
      json: {
        token: settings['token'],
        user: settings['user'],
        title: shortenText(title, 250),
        message: text,
        url: link,
        ...(picture && {
          attachment_base64: (await picture.read()).toString('base64'),
          attachment_type: 'image/jpeg',
        }),
      },
    });
    return textOf(answer, 'request');
  },
};
