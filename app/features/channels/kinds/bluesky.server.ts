import { createHash } from 'node:crypto';
import {
  bearer,
  type CallChannel,
  type ChannelKind,
  type ChannelMessage,
  type ChannelSettings,
  textOf,
} from '#app/features/channels/channel-kind.server.ts';

/**
 * Posts with a card of the page. Bluesky has no edits, so the post about an ended deal is a reply.
 * The record's key comes from the message, so that repeated requests write one record. The id is
 * `URI CID`, both of which a reply needs.
 *
 * https://docs.bsky.app/docs/advanced-guides/posts
 * https://docs.bsky.app/docs/api/com-atproto-repo-put-record
 */
export const bluesky: ChannelKind = {
  longest: 300,
  // 30 sign-ins in five minutes: https://docs.bsky.app/docs/advanced-guides/rate-limits
  gapSeconds: 10,
  // No escaping is needed, since only facets create links and mentions.
  escape: (value) => value,
  async post(call, settings, message) {
    const session = await ask(call, settings, 'server.createSession', {
      json: { identifier: settings['handle'], password: settings['password'] },
    });
    const did = textOf(session, 'did');
    const headers = bearer(textOf(session, 'accessJwt'));
    const blob = message.picture
      ? await ask(call, settings, 'repo.uploadBlob', {
          raw: { type: 'image/jpeg', body: await message.picture.read() },
          headers,
        })
      : null;
    const written = await ask(call, settings, 'repo.putRecord', {
      json: {
        repo: did,
        collection: 'app.bsky.feed.post',
        rkey: recordKey(message),
        record: record(message, blob),
      },
      headers,
    });
    return `${textOf(written, 'uri')} ${textOf(written, 'cid')}`;
  },
};

function record({ text, link, title, queuedAt, replyTo }: ChannelMessage, blob: unknown) {
  const start = Buffer.byteLength(text.slice(0, text.indexOf(link)));
  const [uri, cid] = replyTo?.split(' ') ?? [];
  const parent = { uri, cid };
  const thumb = typeof blob === 'object' && blob !== null ? Reflect.get(blob, 'blob') : undefined;
  return {
    $type: 'app.bsky.feed.post',
    text,
    createdAt: queuedAt.toISOString(),
    facets: text.includes(link)
      ? [
          {
            index: { byteStart: start, byteEnd: start + Buffer.byteLength(link) },
            features: [{ $type: 'app.bsky.richtext.facet#link', uri: link }],
          },
        ]
      : [],
    embed: {
      $type: 'app.bsky.embed.external',
      external: { uri: link, title, description: '', ...(thumb ? { thumb } : {}) },
    },
    ...(replyTo === null ? {} : { reply: { root: parent, parent } }),
  };
}

const digits = '234567abcdefghijklmnopqrstuvwxyz';

/** Returns a timestamp identifier (https://atproto.com/specs/tid) that a retry repeats. */
function recordKey({ key, queuedAt }: ChannelMessage): string {
  const hash = createHash('sha256').update(key).digest();
  const micros = BigInt(queuedAt.getTime()) * 1_000n + BigInt(hash.readUInt16BE(0) % 1_000);
  let rest = (micros << 10n) | BigInt(hash.readUInt16BE(2) % 1_024);
  let text = '';
  for (let n = 0; n < 13; n++) {
    text = `${digits[Number(rest & 31n)]}${text}`;
    rest >>= 5n;
  }
  return text;
}

function ask(
  call: CallChannel,
  settings: ChannelSettings,
  method: string,
  request: Omit<Parameters<CallChannel>[0], 'url'>,
) {
  return call({ url: `${settings['server']}/xrpc/com.atproto.${method}`, ...request });
}
