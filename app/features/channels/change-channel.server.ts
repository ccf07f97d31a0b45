import { sql } from 'kysely';
import { isSameServer } from '#app/features/feeds/sources/source-address.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { keepDeleted } from '#app/platform/trash/keep-deleted.server.ts';
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
 * Changes a channel. A blank secret keeps its value unless the server changed, since the new one
 * must not receive it. Earlier posts in another chat are no longer edited. Blog posts published
 * while the channel was off or did not post them are never posted.
 */
export async function changeChannel(
  db: Db,
  {
    actor,
    id,
    rules,
    settings,
  }: { actor: string; id: number; rules: ChannelRules; settings: ChannelSettings },
): Promise<'saved' | 'gone' | 'secret needed'> {
  return db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('channels')
      .select(['kind', 'settings', 'name', 'events', 'least_percent', 'category_id'])
      .select(['merchant_id', 'posts_a_day', 'quiet_from', 'quiet_to', 'template', 'is_active'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!before) return 'gone';
    const { settings: sealed, kind, ...was } = before;
    const kept = await openChannelSettings(db, id, sealed);
    const next = keepSecrets(kind as ChannelKindName, kept, settings);
    if (next === null) return 'secret needed';
    const isNews = was.is_active && (was.events.includes('post') || !rules.events.includes('post'));
    await tx
      .updateTable('channels')
      .set({ ...rules, settings: await sealChannelSettings(db, id, next) })
      .set({ failures: 0, failing_since: null, last_error: null, switched_off_at: null })
      .set({ next_at: sql<Date>`now()`, updated_at: sql<Date>`now()` })
      .$if(!isNews, (query) => query.set({ active_since: sql<Date>`now()` }))
      .where('id', '=', id)
      .execute();
    if (!rules.is_active) await cancelWaitingPosts(tx, id);
    if (isElsewhere(kept, next)) {
      await tx
        .updateTable('channel_posts')
        .set('remote_id', null)
        .where('channel_id', '=', id)
        .execute();
    }
    await note(tx, actor, 'channel.change', id, { before: was, after: rules });
    return 'saved';
  });
}

/**
 * Returns the new settings. A secret that was left blank keeps its stored value, but is removed
 * for another server. Returns `null` if that server requires it.
 */
function keepSecrets(
  kind: ChannelKindName,
  kept: ChannelSettings,
  next: ChannelSettings,
): ChannelSettings | null {
  const fields = fieldsOfChannel(kind);
  const blank = fields.filter(({ name, type }) => type === 'secret' && !next[name]);
  const isOtherServer = fields.some(
    ({ name, type }) =>
      (type === 'server' || type === 'address') &&
      !isSameServer(kept[name] ?? '', next[name] ?? ''),
  );
  if (isOtherServer && blank.some(({ isOptional }) => !isOptional)) return null;
  const secrets = blank.map(({ name }) => [name, isOtherServer ? '' : (kept[name] ?? '')]);
  return { ...kept, ...next, ...Object.fromEntries(secrets) };
}

/** Returns whether a changed setting is more than a new token for the same chat. */
function isElsewhere(kept: ChannelSettings, next: ChannelSettings): boolean {
  return Object.keys(next).some(
    (name) => name !== 'token' && name !== 'password' && (kept[name] ?? '') !== next[name],
  );
}

/**
 * Moves a channel to the trash with its posts, so that a restored one posts nothing twice. Returns
 * `false` if the channel no longer exists.
 */
export async function deleteChannel(db: Db, { actor, id }: { actor: string; id: number }) {
  return db.transaction().execute(async (tx) => {
    // The trash keeps no one's id, since an erased account could not be restored with the channel.
    const before = await tx
      .updateTable('channels')
      .set({ created_by: null })
      .where('id', '=', id)
      .returning(['name', 'kind'])
      .executeTakeFirst();
    if (!before) return false;
    await cancelWaitingPosts(tx, id);
    await keepDeleted(tx, { table: 'channels', entity: 'channel', id, name: before.name, actor });
    await tx.deleteFrom('channels').where('id', '=', id).execute();
    await note(tx, actor, 'channel.delete', id, { before });
    return true;
  });
}

/**
 * Cancels waiting posts of a channel that is off, since they would be outdated once it is on again.
 * Edits of earlier posts stay queued.
 */
export async function cancelWaitingPosts(tx: Tx, channelId: number): Promise<void> {
  await tx
    .updateTable('channel_posts')
    .set({ state: 'cancelled', last_error: 'the channel was turned off' })
    .where('channel_id', '=', channelId)
    .where('state', '=', 'queued')
    .where('posted_at', 'is', null)
    .execute();
}

function note(tx: Tx, actor: string, action: string, entityId: number, change: object) {
  return writeAudit(tx, { actor, action, entity: 'channel', entityId, ...change });
}
