import { sql } from 'kysely';
import { longestContent } from '#app/features/pages/page-input.server.ts';
import { suggestReadTime } from '#app/features/blog/suggest-read-time.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { keepDeleted } from '#app/platform/trash/keep-deleted.server.ts';
import { findFreeSlug } from '#app/features/catalog/slug-queries.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { linkToMoved, type MovedPaths, plainHost } from './clean-content.server.ts';
import type { ItemDetails } from './old-item.ts';
import { isOfferKind, type MoveKind } from './move-kind.ts';
import { moveOffer } from './move-offers.server.ts';
import { dropUnusedPictures, removeNewPictures, setPicturesDue } from './moved-pictures.server.ts';
import { newPathOf } from './new-path.ts';
import { planMove } from './plan-move.server.ts';
import { toMarkdown } from './to-markdown.server.ts';
import { deleteMade, deleteOffers } from './undo-offers.server.ts';

/** items per transaction */
const batchSize = 50;
/** The lock timeout: another process may be writing a batch, which may be slow on a busy server. */
const longestWait = '60s';

interface Item {
  id: number;
  kind: MoveKind;
  title: string;
  slug: string;
  content: string;
  details: ItemDetails;
  redirect: 'new' | 'same' | 'none';
  old_path: string | null;
}

/**
 * Starts an import after its preview. Deals whose categories do not exist here get the given one,
 * or new ones. Returns false if the import was already started or is gone.
 */
export function startMove(
  db: Db,
  id: number,
  origin: string,
  categoryId: number | null = null,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const state = await ask(tx).value<string>`
      select state from post_moves where id = ${id} for update`;
    if (state !== 'ready') return false;
    await planMove(tx, id, origin);
    await dropUnusedPictures(tx, id);
    await ask(tx)
      .rows`update post_moves set state = 'running', category_id = ${categoryId} where id = ${id}`;
    return true;
  });
}

/** Starts the undo of a completed import. Returns false if there is none. */
export function startUndo(db: Db, id: number, actor: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const found = await ask(tx).value<number>`
      update post_moves set state = 'undoing', undone_by = ${actor}
       where id = ${id} and state = 'done' returning id`;
    if (found !== null) await setPicturesDue(tx, id, false);
    return found !== null;
  });
}

/** Whether an import or its undo is in progress. */
export const areMovesDue = () =>
  sql`(select true from post_moves where state in ('running', 'undoing') order by id limit 1)`;

/**
 * Continues imports and their undos in batches, until none is left. Each batch is one transaction,
 * so an interrupted import continues where it stopped. Only one process works on an import at a
 * time.
 */
export async function runMoves(db: Db, signal?: AbortSignal): Promise<void> {
  const known = new Map<number, MovedPaths>();
  for (;;) {
    if (signal?.aborted) return;
    const left = await db.transaction().execute(async (tx) => {
      await ask(tx).rows`
        select set_config('lock_timeout', ${longestWait}, true), set_config('statement_timeout', ${longestWait}, true)`;
      const move = await ask(tx).row<Move>`
        select id, state, created_by, undone_by, site_url from post_moves
         where state in ('running', 'undoing') order by id limit 1 for update`;
      if (!move) return false;
      if (move.state === 'undoing') {
        if (!(await undoBatch(tx, move))) return move;
      } else {
        const moved = known.get(move.id) ?? (await readMovedPaths(tx, move));
        known.set(move.id, moved);
        await moveBatch(tx, move, moved);
      }
      return true;
    });
    if (left === false) return;
    if (left !== true) {
      await removeNewPictures(db, left.id, left.undone_by ?? left.created_by);
      await db.transaction().execute((tx) => finish(tx, left));
    }
  }
}

interface Move {
  id: number;
  state: string;
  created_by: string;
  undone_by: string | null;
  site_url: string | null;
}

/**
 * Returns the new paths of this import's items, and of items imported from the same site before.
 */
async function readMovedPaths(tx: Db, move: Move): Promise<MovedPaths> {
  const rows = await ask(tx).rows<{
    kind: MoveKind;
    slug: string;
    old_path: string | null;
    old_id: string | null;
    old_url: string;
    isOwn: boolean;
  }>`
    select kind, slug, old_path, old_id, old_url, move_id = ${move.id} as "isOwn" from post_move_items
     where slug is not null and (details ->> 'isPublished')::boolean
       and (outcome in ('moved', 'kept') or (move_id = ${move.id} and skip is null))
     order by id`;
  const hosts = new Set([plainHost(move.site_url ?? '')]);
  for (const { isOwn, old_url: url } of rows) if (isOwn) hosts.add(plainHost(url));
  hosts.delete('');
  const own = rows.filter(({ old_url: url }) => hosts.has(plainHost(url)));
  return {
    hosts,
    byPath: new Map(
      own.flatMap((row) => (row.old_path ? [[row.old_path, linkedPathOf(row)]] : [])),
    ),
    byId: new Map(own.flatMap((row) => (row.old_id ? [[row.old_id, linkedPathOf(row)]] : []))),
  };
}

/** Returns the path that texts link to. Cloaked links keep their old path, which redirects. */
function linkedPathOf(row: { kind: MoveKind; slug: string; old_path: string | null }): string {
  return row.kind === 'link' && row.old_path !== null ? row.old_path : newPathOf(row);
}

async function moveBatch(tx: Db, move: Move, moved: MovedPaths): Promise<void> {
  const items = await ask(tx).rows<Item>`
    select id, kind, title, slug, content, details, redirect, old_path from post_move_items
     where move_id = ${move.id} and outcome is null and skip is null
     order by kind = 'link', id limit ${batchSize}`;
  if (items.length === 0) return finish(tx, move);
  const { siteName } = await readSiteSettings(tx);
  for (const item of items) {
    const made = await insertItem(tx, move, item, { moved, team: `${siteName} Team` });
    if ('refused' in made) {
      await ask(tx).rows`update post_move_items set skip = ${made.refused} where id = ${item.id}`;
      continue;
    }
    const redirectId =
      item.redirect === 'new' ? await insertRedirect(tx, move, item, made.slug) : null;
    await ask(tx).rows`
      update post_move_items
         set outcome = 'moved', row_id = ${made.id}, redirect_id = ${redirectId}, slug = ${made.slug}, content = null
       where id = ${item.id}`;
  }
}

async function insertItem(
  tx: Db,
  move: Move,
  item: Item,
  { moved, team }: { moved: MovedPaths; team: string },
): Promise<{ id: number | null; slug: string } | { refused: string }> {
  const { kind } = item;
  if (isOfferKind(kind)) return moveOffer(tx, move.id, { ...item, kind });
  const content = linkToMoved(item.content, moved);
  return kind === 'post'
    ? insertPost(tx, item, content, team)
    : insertPage(tx, item, markdownOf(item, content));
}

async function insertPost(tx: Db, item: Item, content: string, team: string) {
  const { details } = item;
  const row = {
    title: item.title,
    content,
    excerpt: details.excerpt,
    tags: details.tags,
    author: details.author ?? team,
    featured_image_url: details.picture,
    read_time: suggestReadTime(content).minutes,
    is_published: details.isPublished,
    published_at: details.publishedAt ?? (details.isPublished ? new Date().toISOString() : null),
  };
  const insert = (slug: string) =>
    tx
      .insertInto('blog_posts')
      .values({ ...row, slug })
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .returning(['id', 'slug'])
      .executeTakeFirst();
  return (
    (await insert(item.slug)) ??
    required(await insert(await findFreeSlug(tx, 'blog_posts', item.slug)))
  );
}

async function insertPage(tx: Db, item: Item, content: string) {
  const row = { title: item.title, content, is_visible: item.details.isPublished };
  const insert = (slug: string) =>
    tx
      .insertInto('site_pages')
      .values({ ...row, slug })
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .returning(['id', 'slug'])
      .executeTakeFirst();
  return (
    (await insert(item.slug)) ??
    required(await insert(await findFreeSlug(tx, 'site_pages', item.slug)))
  );
}

/**
 * Returns a page's text, with the old links if the new ones would exceed the limit that the preview
 * checked.
 */
function markdownOf(item: Item, content: string): string {
  const markdown = toMarkdown(content);
  return markdown.length > longestContent ? toMarkdown(item.content) : markdown;
}

function required<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('no free address was found');
  return row;
}

function insertRedirect(tx: Db, move: Move, item: Item, slug: string): Promise<number | null> {
  const target = newPathOf({ kind: item.kind, slug });
  // Redirects to stores are not permanent, since browsers cache a 301 and a store's URL may change.
  return ask(tx).value<number>`
    insert into address_redirects (from_path, target, status, created_by)
    values (${item.old_path}, ${target}, ${target.startsWith('/') ? 301 : 302}, ${move.created_by})
    on conflict (from_path) do nothing returning id`;
}

async function finish(tx: Db, move: Move): Promise<void> {
  const isUndo = move.state === 'undoing';
  const ended = await ask(tx).value<number>`
    update post_moves set state = ${isUndo ? 'undone' : 'done'}, ended_at = now()
     where id = ${move.id} and state = ${move.state} returning id`;
  // Another process may have finished the same undo.
  if (ended === null) return;
  const done = isUndo ? 'removed' : 'moved';
  if (isUndo) await deleteMade(tx, move.id, move.undone_by ?? move.created_by);
  const counts = await ask(tx).row<{
    posts: number;
    pages: number;
    deals: number;
    coupons: number;
    links: number;
    redirects: number;
    kept: number;
  }>`
    select count(*) filter (where kind = 'post' and outcome = ${done})::integer as posts,
           count(*) filter (where kind = 'page' and outcome = ${done})::integer as pages,
           count(*) filter (where kind = 'deal' and outcome = ${done})::integer as deals,
           count(*) filter (where kind = 'coupon' and outcome = ${done})::integer as coupons,
           count(*) filter (where kind = 'link' and outcome = ${done})::integer as links,
           count(redirect_id)::integer as redirects,
           count(*) filter (where outcome = 'kept')::integer as kept
      from post_move_items where move_id = ${move.id}`;
  if (!isUndo) await setPicturesDue(tx, move.id, true);
  const act = { entity: 'post_move', entityId: move.id };
  await writeAudit(
    tx,
    isUndo
      ? {
          ...act,
          actor: move.undone_by ?? move.created_by,
          action: 'post_move.undo',
          before: { ...counts },
        }
      : { ...act, actor: move.created_by, action: 'post_move.run', after: { ...counts } },
  );
}

interface MovedItem {
  id: number;
  kind: MoveKind;
  row_id: number | null;
  redirect_id: number | null;
  title: string;
  version: number | null;
  /** The last version that the import wrote. */
  written: number;
}

/**
 * Moves unchanged items to the trash, and deletes their redirects. Returns false if none are left.
 */
async function undoBatch(tx: Tx, move: Move): Promise<boolean> {
  const items = await ask(tx).rows<MovedItem>`
    select i.id, i.kind, i.row_id, i.redirect_id, i.title, i.written_version as written,
           case i.kind when 'post' then (select version from blog_posts where id = i.row_id)
                       when 'page' then (select version from site_pages where id = i.row_id)
                       when 'deal' then (select version from deals where id = i.row_id)
                       when 'coupon' then (select version from coupons where id = i.row_id)
                       else (select version from address_redirects where id = i.redirect_id) end as version
      from post_move_items i
     where i.move_id = ${move.id} and i.outcome = 'moved' order by i.id limit ${batchSize}`;
  if (items.length === 0) return false;
  const actor = move.undone_by ?? move.created_by;
  const offers: Parameters<typeof deleteOffers>[1][number][] = [];
  for (const item of items) {
    const { id, kind, row_id: rowId, redirect_id: redirectId, title, version } = item;
    const isKept = version !== null && version > item.written;
    if (!isKept && version !== null && rowId !== null) {
      if (isOfferKind(kind)) {
        if (kind !== 'link') offers.push({ kind, id: rowId, title });
      } else {
        const table = kind === 'post' ? 'blog_posts' : 'site_pages';
        await keepDeleted(tx, { table, entity: kind, id: rowId, name: title, actor });
        await ask(tx).rows`delete from ${sql.table(table)} where id = ${rowId}`;
      }
    }
    if (!isKept && redirectId !== null)
      await ask(tx).rows`delete from address_redirects where id = ${redirectId} and version = 1`;
    await ask(tx).rows`
      update post_move_items set outcome = ${isKept ? 'kept' : 'removed'} where id = ${id}`;
  }
  await deleteOffers(tx, offers, actor);
  return true;
}
