import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { keepDeleted } from '#app/platform/trash/keep-deleted.server.ts';
import type { Db } from '#database/connect.ts';
import { pickFields } from '#app/platform/pick-fields.ts';
import { checkSourceAddress, isSameServer } from './source-address.ts';
import type { FeedMapping } from '../formats/feed-fields.ts';
import { noSignIn, sealSignIn, typedSignIn } from './feed-sign-in.server.ts';
import type { FeedSourceInput } from './feed-source-input.ts';
import {
  type FeedSourceRow,
  findFeedSource,
  nextRunAt,
  unmarked,
  updateSource,
} from './feed-source-queries.server.ts';
import { findMerchantId, insertMerchant } from '../runs/import-queries.server.ts';

/** Creates or updates a source. Returns its id, or `null` if it no longer exists. */
export async function saveFeedSource(
  db: Db,
  actor: string,
  input: FeedSourceInput,
  id?: number,
  /** The key of the SFTP server that was just connected to. */
  hostKey?: string | null,
): Promise<number | null> {
  const { merchant } = input;
  const url = input.kind === 'url' ? checkSourceAddress(input.location) : null;
  return db.transaction().execute(async (tx) => {
    const row = {
      ...pickFields(input, ownColumns),
      ...unmarked,
      location: url?.ok ? url.url : input.kind === 'upload' ? '' : input.location,
      merchant_id: (await findMerchantId(tx, merchant)) ?? (await insertMerchant(tx, merchant)),
      next_run_at: nextRunAt(input.is_active ? input.schedule_minutes : null),
    };
    const before = id === undefined ? null : await findFeedSource(tx, id);
    const saved = await (id === undefined
      ? tx
          .insertInto('feed_sources')
          .values({ mapping: '{}', category_mapping: '{}', ...row })
          .returning('id')
          .executeTakeFirst()
      : tx
          .updateTable('feed_sources')
          .set({ ...row, updated_at: new Date() })
          .where('id', '=', id)
          .returning('id')
          .executeTakeFirst());
    if (!saved) return null;
    await updateSource(tx, saved.id, {
      ...(await signInColumns(tx, saved.id, input, before)),
      ...hostKeyColumn(input, before, row.location, hostKey),
    });
    await writeAudit(tx, {
      actor,
      action: id === undefined ? 'feed-source.create' : 'feed-source.update',
      entity: 'feed-source',
      entityId: saved.id,
      // Omits the URL, which may contain a key.
      after: { name: input.name, kind: input.kind, schedule_minutes: input.schedule_minutes },
    });
    return saved.id;
  });
}

const ownColumns = [
  'name',
  'kind',
  'format',
  'decimal_mark',
  'encoding',
  'shop_url',
  'currency',
  'fallback_category_id',
  'schedule_minutes',
  'groups_variants',
  'ends_missing',
  'updates_only',
  'content',
  'is_active',
] as const;

/**
 * Returns the columns of the credentials. A stored secret is kept unless it was replaced or
 * removed. If the server changes, the secret is dropped, since the new server must not receive it.
 */
async function signInColumns(
  tx: Db,
  id: number,
  input: FeedSourceInput,
  before: FeedSourceRow | null,
) {
  const typed = typedSignIn(input);
  if (typed?.kind != null) return sealSignIn(tx, id, typed);
  const mayStay = before === null || isSameServer(before.location, input.location);
  return input.forgets_sign_in || !mayStay ? noSignIn : { user_name: input.user_name };
}

function hostKeyColumn(
  input: FeedSourceInput,
  before: FeedSourceRow | null,
  location: string,
  hostKey: string | null | undefined,
) {
  if (hostKey !== undefined) return { host_key: hostKey };
  const isKept = before !== null && isSameServer(before.location, location);
  return isKept && !input.forgets_host_key ? {} : { host_key: null };
}

/** The other columns change how the same file is read, so the file must be fetched again. */
export async function saveMappings(
  db: Db,
  id: number,
  {
    mapping,
    categoryMapping,
    ...read
  }: { mapping: FeedMapping; categoryMapping: Record<string, number> } & Partial<
    Pick<FeedSourceRow, 'record_path' | 'shop_url' | 'head'>
  >,
): Promise<void> {
  await updateSource(db, id, {
    ...unmarked,
    ...read,
    mapping: JSON.stringify(mapping),
    category_mapping: JSON.stringify(categoryMapping),
  });
}

/** Moves a source to the trash. Its deals and its log of runs are kept. */
export async function deleteFeedSource(db: Db, actor: string, id: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const source = await tx
      .selectFrom('feed_sources')
      .select('name')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!source) return false;
    const { name } = source;
    await keepDeleted(tx, { table: 'feed_sources', entity: 'feed-source', id, name, actor });
    await tx.deleteFrom('feed_sources').where('id', '=', id).execute();
    await writeAudit(tx, {
      actor,
      action: 'feed-source.delete',
      entity: 'feed-source',
      entityId: id,
      before: { name },
    });
    return true;
  });
}
