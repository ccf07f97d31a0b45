import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { MoveState } from '#database/schema/site-tables.ts';
import type { MoveKind } from './move-kind.ts';

/** An uploaded export with its counts. */
export interface MoveSummary {
  id: number;
  file_name: string;
  site_url: string | null;
  state: MoveState;
  left_out: Record<string, number>;
  created_at: Date;
  posts: number;
  pages: number;
  deals: number;
  coupons: number;
  links: number;
  /** The number of items that are not imported. */
  skipped: number;
  redirects: number;
  /** The number of items imported, or removed by the undo. */
  handled: number;
  /** The number of items that the undo kept because they were changed. */
  kept: number;
}

/** Returns the exports, newest first. */
export function listMoves(db: Db, limit: number): Promise<MoveSummary[]> {
  return readMoves(db, null, limit);
}

export async function findMove(db: Db, id: number): Promise<MoveSummary | null> {
  return (await readMoves(db, id, 1))[0] ?? null;
}

function readMoves(db: Db, id: number | null, limit: number): Promise<MoveSummary[]> {
  return ask(db).rows<MoveSummary>`
    select m.id, m.file_name, m.site_url, m.state, m.left_out, m.created_at, c.*
      from post_moves m,
           lateral (select count(*) filter (where skip is null and kind = 'post')::integer as posts,
                           count(*) filter (where skip is null and kind = 'page')::integer as pages,
                           count(*) filter (where skip is null and kind = 'deal')::integer as deals,
                           count(*) filter (where skip is null and kind = 'coupon')::integer as coupons,
                           count(*) filter (where skip is null and kind = 'link')::integer as links,
                           count(*) filter (where skip is not null)::integer as skipped,
                           count(*) filter (where redirect = 'new' and skip is null)::integer as redirects,
                           count(*) filter (where case m.state when 'undoing' then outcome in ('removed', 'kept')
                                                               else outcome is not null end)::integer as handled,
                           count(*) filter (where outcome = 'kept')::integer as kept
                      from post_move_items i where i.move_id = m.id) c
     where m.state <> 'reading' and (${id}::bigint is null or m.id = ${id})
     order by m.id desc limit ${limit}`;
}

/** An item of an export, with its outcome. */
export interface MoveItem {
  id: number;
  kind: MoveKind;
  title: string;
  old_url: string;
  slug: string | null;
  isPublished: boolean;
  redirect: 'new' | 'same' | 'none';
  redirect_note: string | null;
  skip: string | null;
  notes: string[];
  outcome: 'moved' | 'kept' | 'removed' | null;
}

/** Returns a page of an import's imported or skipped items. */
export async function listMoveItems(
  db: Db,
  { move, isSkipped }: { move: number; isSkipped: boolean },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: MoveItem[]; total: number }> {
  const rows = await ask(db).rows<MoveItem>`
    select id, kind, title, old_url, slug, coalesce((details ->> 'isPublished')::boolean, false) as "isPublished",
           redirect, redirect_note, skip, outcome,
           notes || coalesce(details #> '{plan,notes}', '[]') as notes
      from post_move_items where move_id = ${move} and (skip is not null) = ${isSkipped}::boolean
     order by id limit ${limit} offset ${offset}`;
  const total = await ask(db).value<number>`
    select count(*)::integer from post_move_items
     where move_id = ${move} and (skip is not null) = ${isSkipped}::boolean`;
  return { rows, total: total ?? 0 };
}

/** Deletes a preview. Returns false if its import was started. */
export async function deletePreview(db: Db, id: number): Promise<boolean> {
  const found = await ask(db).value<number>`
    delete from post_moves where id = ${id} and state = 'ready' returning id`;
  return found !== null;
}
