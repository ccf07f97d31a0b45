import {
  type ChannelField,
  type ChannelKindName,
  fieldsOfChannel,
} from '#app/features/channels/channel-fields.ts';

/**
 * The settings that make up a channel's address, by kind. The first one with a host names the
 * channel.
 */
const addresses = {
  ntfy: ['server', 'topic'],
  telegram: ['token', 'chat'],
  discord: ['url'],
  matrix: ['server', 'room'],
  gotify: ['server', 'token'],
} as const satisfies Partial<Record<ChannelKindName, readonly string[]>>;

/** A kind of channel that people may add for their own alerts. */
export type OwnChannelKind = keyof typeof addresses;
export const ownChannelKinds = Object.keys(addresses).filter(isOwnChannelKind);

export function isOwnChannelKind(name: string): name is OwnChannelKind {
  return Object.hasOwn(addresses, name);
}

/**
 * Returns the fields of the form. The chat of a Telegram bot is optional, since the bot's newest
 * message identifies it.
 */
export function fieldsOfOwn(kind: OwnChannelKind): readonly ChannelField[] {
  if (kind !== 'telegram') return fieldsOfChannel(kind);
  const hint = 'Leave it blank to use the chat that last sent your bot a message.';
  return fieldsOfChannel(kind).map((field) =>
    field.name === 'chat' ? { ...field, label: 'Chat ID', hint, isOptional: true } : field,
  );
}

/** Returns the values that make two channels the same. */
export function addressOf(
  kind: OwnChannelKind,
  settings: Readonly<Record<string, string>>,
): string[] {
  return [kind, ...addresses[kind].map((name) => settings[name] ?? '')];
}

/** Returns a web address without the parts that a server may ignore: scheme, port and query. */
export function serverOf(address: string): string {
  const { protocol, hostname, pathname } = URL.parse(address) ?? {};
  if (!hostname || !pathname || !protocol?.startsWith('http')) return address;
  const folders = pathname.split('/').filter(Boolean);
  return [hostname.replace(/\.$/, ''), ...folders].join('/');
}

/** Returns the name of a channel in lists, such as `ntfy.sh/deals`, without secrets. */
export function placeOf(kind: OwnChannelKind, settings: Readonly<Record<string, string>>): string {
  const { host = '' } = URL.parse(settings['server'] ?? settings['url'] ?? '') ?? {};
  if (kind === 'telegram') return `chat ${settings['chat']}`;
  if (kind === 'matrix') return settings['room'] ?? host;
  return kind === 'ntfy' ? `${host}/${settings['topic']}` : host;
}
