import {
  bearer,
  type CallChannel,
  type ChannelKind,
  type ChannelMessage,
  type ChannelSettings,
} from '#app/features/channels/channel-kind.server.ts';

/** Posts the text and its parts. A change posts the same id again, marked as an update. */
export const jsonWebhook: ChannelKind = {
  longest: 4_000,
  gapSeconds: 1,
  escape: (value) => value,
  async post(call, settings, message) {
    await send(call, settings, message, false);
    return message.key;
  },
  edit: (call, settings, message) => send(call, settings, message, true),
};

async function send(
  call: CallChannel,
  settings: ChannelSettings,
  { key, text, link, picture, isOver, parts }: ChannelMessage,
  isUpdate: boolean,
) {
  await call({
    url: settings['url'] ?? '',
    json: {
      id: key,
      is_update: isUpdate,
      ...parts,
      is_over: isOver,
      link,
      picture: picture && picture.url,
      text,
    },
    headers: settings['token'] ? bearer(settings['token']) : {},
  });
}
