/** A field of a channel's settings, as its form shows it. */
export interface ChannelField {
  name: string;
  label: string;
  /** `secret` is never shown again. `server` and `address` are http(s) addresses. */
  type: 'text' | 'secret' | 'server' | 'address';
  isOptional?: true;
  /** The value of an empty field. */
  usual?: string;
  hint?: string;
}

interface ChannelWords {
  label: string;
  /** The setup in one or two sentences. */
  setup: string;
  /** The effect of a changed price or an ended deal on an earlier post. */
  change: string;
  fields: readonly ChannelField[];
}

const edited = 'Posts are edited when the price changes or the deal ends.';
const fixed =
  'Posts can’t be edited here. Choose “A posted deal ends” to announce it in a new post.';
const token = (hint: string): ChannelField => ({
  name: 'token',
  label: 'Token',
  type: 'secret',
  hint,
});

/** Every kind of channel, with the fields of its form. `kinds/` has a file for each. */
export const channelWords = {
  telegram: {
    label: 'Telegram',
    setup: 'Create a bot with @BotFather, and make it an administrator of your channel or group.',
    change: edited,
    fields: [
      token('The bot’s token from @BotFather.'),
      { name: 'chat', label: 'Chat', type: 'text', hint: 'Such as @mydeals or -1001234567890.' },
    ],
  },
  discord: {
    label: 'Discord',
    setup: 'Create a webhook under Channel settings, Integrations.',
    change: edited,
    fields: [{ name: 'url', label: 'Webhook URL', type: 'secret' }],
  },
  slack: {
    label: 'Slack (bot)',
    setup: 'Create an app with the bot scope chat:write, install it and invite it to the channel.',
    change: edited,
    fields: [
      token('The bot token, which begins with xoxb-.'),
      { name: 'channel', label: 'Channel ID', type: 'text', hint: 'Such as C0123456789.' },
    ],
  },
  slack_webhook: {
    label: 'Slack (incoming webhook)',
    setup: 'Create an app, switch on Incoming Webhooks and add one to your channel.',
    change: fixed,
    fields: [
      {
        name: 'url',
        label: 'Webhook URL',
        type: 'secret',
        hint: 'It begins with https://hooks.slack.com/services/.',
      },
    ],
  },
  matrix: {
    label: 'Matrix',
    setup: 'Invite an account of your own to the room, and use its access token.',
    change: edited,
    fields: [
      { name: 'server', label: 'Homeserver', type: 'server', hint: 'Such as https://matrix.org.' },
      token('The access token of the account.'),
      { name: 'room', label: 'Room ID', type: 'text', hint: 'Such as !abcdef:matrix.org.' },
    ],
  },
  mastodon: {
    label: 'Mastodon',
    setup:
      'Create an application under Preferences, Development, with write:statuses and write:media.',
    change: edited,
    fields: [
      { name: 'server', label: 'Server', type: 'server', hint: 'Such as https://mastodon.social.' },
      token('The application’s access token.'),
    ],
  },
  bluesky: {
    label: 'Bluesky',
    setup: 'Create an app password under Settings, Privacy and security.',
    change: 'Bluesky can’t edit posts. “A posted deal ends” replies to the post.',
    fields: [
      { name: 'server', label: 'Server', type: 'server', usual: 'https://bsky.social' },
      { name: 'handle', label: 'Handle', type: 'text', hint: 'Such as deals.bsky.social.' },
      { name: 'password', label: 'App password', type: 'secret' },
    ],
  },
  ntfy: {
    label: 'ntfy',
    setup: 'Choose a topic. On ntfy.sh anyone who knows its name can read it.',
    change: fixed,
    fields: [
      { name: 'server', label: 'Server', type: 'server', usual: 'https://ntfy.sh' },
      { name: 'topic', label: 'Topic', type: 'text' },
      { ...token('Needed only for protected topics.'), isOptional: true },
    ],
  },
  gotify: {
    label: 'Gotify',
    setup: 'Create an application on your Gotify server.',
    change: fixed,
    fields: [
      { name: 'server', label: 'Server', type: 'server' },
      token('The token of the application.'),
    ],
  },
  pushover: {
    label: 'Pushover',
    setup: 'Create an application at pushover.net.',
    change: fixed,
    fields: [
      token('The API token of the application.'),
      { name: 'user', label: 'User or group key', type: 'secret' },
    ],
  },
  apprise: {
    label: 'Apprise API',
    setup: 'Use the address of a stored configuration: https://your-server/notify/KEY.',
    change: fixed,
    fields: [
      { name: 'url', label: 'Notify URL', type: 'secret' },
      { name: 'tag', label: 'Tag', type: 'text', isOptional: true },
    ],
  },
  webhook: {
    label: 'Webhook (JSON)',
    setup: 'Sends the text and its parts as JSON. When a deal changes, the same id is sent again.',
    change: 'A changed price or an ended deal sends the same id with “is_update”: true.',
    fields: [
      { name: 'url', label: 'URL', type: 'address' },
      {
        name: 'token',
        label: 'Bearer token',
        type: 'secret',
        isOptional: true,
        hint: 'Sent in the Authorization header.',
      },
    ],
  },
} as const satisfies Record<string, ChannelWords>;

export type ChannelKindName = keyof typeof channelWords;
export const channelKindNames = Object.keys(channelWords) as ChannelKindName[];

export function isChannelKind(name: string): name is ChannelKindName {
  return Object.hasOwn(channelWords, name);
}

export function fieldsOfChannel(kind: ChannelKindName): readonly ChannelField[] {
  return channelWords[kind].fields;
}
