import { type ChannelKind, textOf } from '#app/features/channels/channel-kind.server.ts';

/**
 * Sends plain text that opens the page when tapped.
 *
 * https://gotify.net/docs/pushmsg
 * https://gotify.net/docs/msgextras
 */
export const gotify: ChannelKind = {
  longest: 4_000,
  // The server is the owner's and has no limit.
  gapSeconds: 1,
  escape: (value) => value,
  async post(call, settings, { text, title, link, picture }) {
    const answer = await call({
      url: `${settings['server']}/message`,
      json: {
        title,
        message: text,
        extras: {
          'client::display': { contentType: 'text/plain' },
          'client::notification': {
            click: { url: link },
            ...(picture && { bigImageUrl: picture.url }),
          },
        },
      },
      headers: { 'x-gotify-key': settings['token'] ?? '' },
    });
    return textOf(answer, 'id');
  },
};
