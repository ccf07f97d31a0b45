import { countRows } from '#app/platform/read-table-page.server.ts';
import type { Db } from '#database/connect.ts';
import { type ChannelKindName, fieldsOfChannel, isChannelKind } from './channel-fields.ts';
import { openChannelSettings } from './channel-settings.server.ts';

const columns = [
  'id',
  'name',
  'kind',
  'events',
  'least_percent',
  'category_id',
  'merchant_id',
  'posts_a_day',
  'quiet_from',
  'quiet_to',
  'template',
  'is_active',
  'failures',
  'failing_since',
  'last_error',
  'switched_off_at',
  'created_at',
] as const;

/** A channel as staff see it, without settings. */
export type ChannelSummary = Awaited<ReturnType<typeof listChannels>>[number];
export type ChannelPostEntry = Awaited<ReturnType<typeof listChannelPosts>>[number];

export function listChannels(db: Db) {
  return db.selectFrom('channels').select(columns).orderBy('id').execute();
}

/** Returns a channel with the settings that are not secret, or `null`. */
export async function findChannel(db: Db, id: number) {
  const row = await db
    .selectFrom('channels')
    .select(columns)
    .select('settings')
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row || !isChannelKind(row.kind)) return null;
  const { settings: sealed, ...channel } = row;
  const opened = await openChannelSettings(db, id, sealed);
  return { ...channel, kind: row.kind, settings: shownSettings(row.kind, opened) };
}

function shownSettings(kind: ChannelKindName, settings: Readonly<Record<string, string>>) {
  const shown = fieldsOfChannel(kind).filter(({ type }) => type !== 'secret');
  return Object.fromEntries(shown.map(({ name }) => [name, settings[name] ?? '']));
}

/** Lists a channel's posts, newest first. */
export function listChannelPosts(
  db: Db,
  channelId: number,
  { limit, offset }: { limit: number; offset: number },
) {
  return db
    .selectFrom('channel_posts')
    .select(['id', 'key', 'event', 'deal_id', 'state', 'attempts', 'last_error', 'created_at'])
    .where('channel_id', '=', channelId)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

export function countChannelPosts(db: Db, channelId: number) {
  return countRows(db.selectFrom('channel_posts').where('channel_id', '=', channelId));
}
