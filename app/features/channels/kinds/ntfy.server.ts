import { bearer, type ChannelKind, textOf } from '#app/features/channels/channel-kind.server.ts';

/**
 * Publishes plain text that opens the page when tapped, with the picture as an attachment.
 *
 * https://docs.ntfy.sh/publish/#publish-as-json
 */
export const ntfy: ChannelKind = {
  // 4,096 bytes.
  longest: 1_000,
  // One request in five seconds after the first 60: https://docs.ntfy.sh/publish/#limitations
  gapSeconds: 5,
  escape: (value) => value,
  async post(call, settings, { text, title, link, picture }) {
    const answer = await call({
      url: settings['server'] ?? '',
      json: {
        topic: settings['topic'],
        title,
        message: text,
        click: link,
        ...(picture && { attach: picture.url, filename: 'deal.jpg' }),
      },
      headers: settings['token'] ? bearer(settings['token']) : {},
    });
    return textOf(answer, 'id');
  },
};
