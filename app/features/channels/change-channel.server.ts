import { sql } from 'kysely';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { countRows } from '#app/platform/read-table-page.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { type ChannelKindName, fieldsOfChannel } from './channel-fields.ts';
import type { ChannelRules } from './channel-input.ts';
import type { ChannelSettings } from './channel-kind.server.ts';
import { openChannelSettings, sealChannelSettings } from './channel-settings.server.ts';

const mostChannels = 20;

/** Creates a channel and returns its id, or `null` if there are too many. */
export async function addChannel(
  db: Db,
  {
    actor,
    kind,
    rules,
    settings,
  }: { actor: string; kind: ChannelKindName; rules: ChannelRules; settings: ChannelSettings },
): Promise<number | null> {
  // The settings are bound to the id, so the id is needed first.
  const id = Number(await ask(db).value`select nextval(pg_get_serial_sequence('channels', 'id'))`);
  const sealed = await sealChannelSettings(db, id, settings);
  return db.transaction().execute(async (tx) => {
    if ((await countRows(tx.selectFrom('channels'))) >= mostChannels) return null;
    await tx
      .insertInto('channels')
      .values({ id, kind, settings: sealed, created_by: actor, ...rules })
      .execute();
    await note(tx, actor, 'channel.create', id, { after: { kind, ...rules } });
    return id;
  });
}

/**
 * Changes a channel. A blank secret keeps its value. Blog posts that appeared while the channel was
 * off are no news. Returns `false` if the channel no longer exists.
 */
export async function changeChannel(
  db: Db,
  {
    actor,
    id,
    rules,
    settings,
  }: { actor: string; id: number; rules: ChannelRules; settings: ChannelSettings },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('channels')
      .select(['kind', 'settings', 'name', 'events', 'least_percent', 'category_id'])
      .select(['merchant_id', 'posts_a_day', 'quiet_from', 'quiet_to', 'template', 'is_active'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!before) return false;
    const { settings: sealed, kind, ...was } = before;
    const kept = await openChannelSettings(db, id, sealed);
    const next = keepSecrets(kind, kept, settings);
    await tx
      .updateTable('channels')
      .set({ ...rules, settings: await sealChannelSettings(db, id, next) })
      .set({ failures: 0, failing_since: null, last_error: null, switched_off_at: null })
      .set({ next_at: sql<Date>`now()`, updated_at: sql<Date>`now()` })
      .$if(!was.is_active, (query) => query.set({ active_since: sql<Date>`now()` }))
      .where('id', '=', id)
      .execute();
    if (!rules.is_active) await cancelWaitingPosts(tx, id);
    await note(tx, actor, 'channel.change', id, { before: was, after: rules });
    return true;
  });
}

/** Returns the new settings, with the stored value of each secret that was left blank. */
export function keepSecrets(
  kind: string,
  kept: ChannelSettings,
  next: ChannelSettings,
): ChannelSettings {
  const secrets = fieldsOfChannel(kind as ChannelKindName)
    .filter(({ name, type }) => type === 'secret' && !next[name])
    .map(({ name }) => [name, kept[name] ?? '']);
  return { ...kept, ...next, ...Object.fromEntries(secrets) };
}

/** Deletes a channel with its log. Returns `false` if the channel no longer exists. */
export async function deleteChannel(db: Db, { actor, id }: { actor: string; id: number }) {
  return db.transaction().execute(async (tx) => {
    const before = await tx
      .deleteFrom('channels')
      .where('id', '=', id)
      .returning(['name', 'kind'])
      .executeTakeFirst();
    if (!before) return false;
    await note(tx, actor, 'channel.delete', id, { before });
    return true;
  });
}

/** Cancels waiting posts of a channel that is off, which would be outdated when it is on again. */
export async function cancelWaitingPosts(tx: Tx, channelId: number): Promise<void> {
  await tx
    .updateTable('channel_posts')
    .set({ state: 'cancelled', last_error: 'the channel was turned off' })
    .where('channel_id', '=', channelId)
    .where('state', '=', 'queued')
    .execute();
}

function note(tx: Tx, actor: string, action: string, entityId: number, change: object) {
  return writeAudit(tx, { actor, action, entity: 'channel', entityId, ...change });
}
