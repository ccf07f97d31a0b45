import type { ChannelKind, ChannelMessage } from '#app/features/channels/channel-kind.server.ts';
import { textOf } from '#app/features/channels/channel-kind.server.ts';

/**
 * Posts through the webhook of a Discord channel. Mentions are disabled, and values are escaped as
 * Markdown.
 *
 * https://discord.com/developers/docs/resources/webhook#execute-webhook
 * https://discord.com/developers/docs/resources/webhook#edit-webhook-message
 */
export const discord: ChannelKind = {
  longest: 2_000,
  // A webhook accepts 30 requests a minute: https://discord.com/developers/docs/topics/rate-limits
  gapSeconds: 2,
  escape: (value) => value.replace(/[\\*_~`|<>#[\]()@:-]/g, '\\$&'),
  async post(call, settings, message) {
    const url = new URL(settings['url'] ?? '');
    url.searchParams.set('wait', 'true');
    return textOf(await call({ url: url.href, json: content(message) }), 'id');
  },
  async edit(call, settings, message, id) {
    const url = new URL(settings['url'] ?? '');
    url.pathname += ['', 'messages', id].join('/');
    await call({ url: url.href, method: 'PATCH', json: content(message) });
  },
};

function content({ text, picture }: ChannelMessage) {
  return {
    content: text,
    embeds: picture ? [{ image: { url: picture.url } }] : [],
    allowed_mentions: { parse: [] },
  };
}
