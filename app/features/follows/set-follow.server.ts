import { type RawBuilder, sql } from 'kysely';
import { fold } from '#app/platform/fold.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { followMessages, mostFollows } from './follow-messages.ts';
import type { FollowTarget } from './follow-target.ts';

export type FollowOutcome = { ok: true } | { ok: false; status: 404 | 409; message: string };

/**
 * Follows the targets that still exist, and skips those already followed. If none exists, or if the
 * limit would be exceeded, nothing is stored.
 */
export function follow(
  db: Db,
  userId: string,
  targets: readonly FollowTarget[],
): Promise<FollowOutcome> {
  return db
    .transaction()
    .execute(async (tx): Promise<FollowOutcome> => {
      // The lock serializes a user's requests, so that the limit cannot be exceeded.
      await sql`select from users where id = ${userId} for no key update`.execute(tx);
      const found: RawBuilder<unknown>[] = [];
      for (const target of targets) {
        const columns = await findTarget(tx, target);
        if (columns !== null) found.push(columns);
      }
      if (found.length === 0) return { ok: false, status: 404, message: followMessages.gone };
      for (const columns of found) {
        await sql`insert into follows (user_id, merchant_id, category_id, brand, brand_name)
        values (${userId}, ${columns}) on conflict do nothing`.execute(tx);
      }
      const count = await ask(tx)
        .value<number>`select count(*) from follows where user_id = ${userId}`;
      if ((count ?? 0) > mostFollows) throw new TooManyFollows();
      return { ok: true };
    })
    .catch((error: unknown): FollowOutcome => {
      if (!(error instanceof TooManyFollows)) throw error;
      return { ok: false, status: 409, message: followMessages.tooMany };
    });
}

/** Thrown to roll back the transaction. */
class TooManyFollows extends Error {}

/** Returns the column values of a follow, or `null` if the target does not exist. */
async function findTarget(tx: Tx, target: FollowTarget): Promise<RawBuilder<unknown> | null> {
  if (target.kind === 'brand') {
    const brand = fold(target.name);
    // The newest deal's spelling of the name is used, regardless of how a list's URL spells it.
    const name = await ask(tx).value<string>`
      select d.brand from deal_texts t join deals d on d.id = t.deal_id
       where t.brand = ${brand} and d.is_active order by d.id desc limit 1`;
    return name === null ? null : sql`null, null, ${brand}, ${name}`;
  }
  const { kind, id } = target;
  const table = sql.table(kind === 'merchant' ? 'merchants' : 'categories');
  const row = await ask(tx)
    .value<boolean>`select true from ${table} where id = ${id} for key share`;
  if (row === null) return null;
  return kind === 'merchant' ? sql`${id}, null, null, null` : sql`null, ${id}, null, null`;
}

export async function unfollow(db: Db, userId: string, target: FollowTarget): Promise<void> {
  const own = db.deleteFrom('follows').where('user_id', '=', userId);
  if (target.kind === 'brand') await own.where('brand', '=', fold(target.name)).execute();
  else await own.where(`${target.kind}_id`, '=', target.id).execute();
}

/** Erases everything that a user follows, including follows in the trash with their store. */
export async function unfollowAll(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('follows').where('user_id', '=', userId).execute();
  await sql`
    update deleted_row_parts set kept = rows_of_others(kept, ${userId}, null)
     where deleted_id in (select id from deleted_rows where entity in ('merchant', 'category'))
       and from_table = 'follows' and kept @> jsonb_build_array(jsonb_build_object('user_id', ${userId}::text))`.execute(
    db,
  );
}
