import { z } from 'zod';
import {
  breakMentions,
  type CallChannel,
  type ChannelKind,
  type ChannelMessage,
  ChannelRefusal,
  type ChannelSettings,
  textOf,
} from '#app/features/channels/channel-kind.server.ts';

/**
 * Posts a picture with a caption, or a text if Telegram can't fetch the picture. Texts have no
 * `parse_mode`, so that no character is markup. The id names the form: `photo:12` or `text:12`.
 *
 * https://core.telegram.org/bots/api#sendphoto
 * https://core.telegram.org/bots/api#editmessagemedia
 */
export const telegram: ChannelKind = {
  // A caption has 1,024 characters.
  longest: 1_024,
  // A group accepts 20 messages a minute: https://core.telegram.org/bots/faq
  gapSeconds: 3,
  escape: breakMentions,
  async post(call, settings, message) {
    const chat_id = settings['chat'];
    if (message.picture) {
      const photo = { chat_id, photo: message.picture.url, caption: message.text };
      try {
        return `photo:${idOf(await ask(call, settings, 'sendPhoto', photo))}`;
      } catch (error) {
        if (!isUnfetched(error)) throw error;
      }
    }
    const text = { chat_id, text: message.text, ...preview(message) };
    return `text:${idOf(await ask(call, settings, 'sendMessage', text))}`;
  },
  async edit(call, settings, message, id) {
    const [form = '', message_id = ''] = id.split(':');
    const place = { chat_id: settings['chat'], message_id: Number(message_id) };
    try {
      await ask(call, settings, ...change(form, message, place));
    } catch (error) {
      const isSame = error instanceof ChannelRefusal && /is not modified/.test(error.message);
      if (!isSame) throw error;
    }
  },
};

const messageOfUpdate = z
  .object({ chat: z.object({ id: z.number(), type: z.string() }) })
  .optional();

/**
 * Returns the id of the private chat that last sent the bot a message, or `null`. Updates are not
 * confirmed, so other clients of the bot still receive them.
 *
 * https://core.telegram.org/bots/api#getupdates
 */
export async function findTelegramChat(
  call: CallChannel,
  settings: ChannelSettings,
): Promise<string | null> {
  const answer = z
    .object({ result: z.array(z.object({ message: messageOfUpdate.catch(undefined) })) })
    .safeParse(await ask(call, settings, 'getUpdates', {}));
  const chats = (answer.data?.result ?? []).flatMap(({ message }) => message?.chat ?? []);
  const newest = chats.findLast(({ type }) => type === 'private');
  return newest ? String(newest.id) : null;
}

function change(form: string, message: ChannelMessage, place: object): [string, object] {
  if (form === 'text') {
    return ['editMessageText', { ...place, text: message.text, ...preview(message) }];
  }
  if (!message.picture) return ['editMessageCaption', { ...place, caption: message.text }];
  const media = { type: 'photo', media: message.picture.url, caption: message.text };
  return ['editMessageMedia', { ...place, media }];
}

const preview = ({ link }: ChannelMessage) => ({ link_preview_options: { url: link } });

function ask(call: CallChannel, settings: ChannelSettings, method: string, json: object) {
  const server = settings['server'] ?? 'https://api.telegram.org';
  return call({ url: `${server}/bot${settings['token']}/${method}`, json });
}

const idOf = (answer: unknown) => textOf(answer, 'result', 'message_id');

function isUnfetched(error: unknown): boolean {
  return (
    error instanceof ChannelRefusal &&
    error.status === 400 &&
    /HTTP URL|web ?page content|PHOTO_INVALID/i.test(error.message)
  );
}
