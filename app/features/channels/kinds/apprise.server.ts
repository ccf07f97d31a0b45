import type { ChannelKind } from '#app/features/channels/channel-kind.server.ts';

/**
 * Notifies the services that are configured on an Apprise API server. No picture is attached,
 * because the server refuses the whole message if it can't fetch one.
 *
 * https://github.com/caronc/apprise-api#api-details
 */
export const apprise: ChannelKind = {
  longest: 1_000,
  // The server is the owner's and has no limit.
  gapSeconds: 1,
  escape: (value) => value,
  async post(call, settings, { text, title }) {
    const tag = settings['tag'] ? { tag: settings['tag'] } : {};
    const json = { title, body: text, type: 'info', format: 'text', ...tag };
    await call({ url: settings['url'] ?? '', json });
    return null;
  },
};
