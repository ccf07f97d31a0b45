import type { ChannelKindName } from './channel-fields.ts';
import type { ChannelKind } from './channel-kind.server.ts';
import { apprise } from './kinds/apprise.server.ts';
import { bluesky } from './kinds/bluesky.server.ts';
import { discord } from './kinds/discord.server.ts';
import { gotify } from './kinds/gotify.server.ts';
import { jsonWebhook } from './kinds/json-webhook.server.ts';
import { mastodon } from './kinds/mastodon.server.ts';
import { matrix } from './kinds/matrix.server.ts';
import { ntfy } from './kinds/ntfy.server.ts';
import { pushover } from './kinds/pushover.server.ts';
import { slack } from './kinds/slack.server.ts';
import { slackWebhook } from './kinds/slack-webhook.server.ts';
import { telegram } from './kinds/telegram.server.ts';

/** Every kind of channel by its name. */
export const channelKinds: Record<ChannelKindName, ChannelKind> = {
  telegram,
  discord,
  slack,
  slack_webhook: slackWebhook,
  matrix,
  mastodon,
  bluesky,
  ntfy,
  gotify,
  pushover,
  apprise,
  webhook: jsonWebhook,
};
