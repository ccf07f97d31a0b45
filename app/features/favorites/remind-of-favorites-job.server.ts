import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { inBatches } from '#database/in-batches.ts';

const hoursBefore = 24;
const favoritesALot = 1_000;

/** A position in the processing order: a favorite that ends soon. */
interface Place {
  endsAt: string;
  dealId: number;
  favoriteId: number;
}

const start: Place = { endsAt: '-infinity', dealId: 0, favoriteId: 0 };

/**
 * Queues one email for each user whose favorites end within a day, batch by batch. The statement
 * that queues an email marks its favorites, so that no later batch, run or process repeats it.
 */
export async function remindOfFavorites(
  db: Db,
  signal?: AbortSignal,
  most = favoritesALot,
): Promise<void> {
  let after: Place | null = start;
  await inBatches(signal, async () => {
    after = after && (await remindNext(db, after, most));
    return after !== null;
  });
}

/**
 * Processes the next favorites, and reminds their users of all favorites that end soon. Returns the
 * last favorite, or `null` at the end.
 */
function remindNext(db: Db, after: Place, most: number): Promise<Place | null> {
  const { endsAt, dealId, favoriteId } = after;
  const isSoon = sql`d.is_active and not d.is_expired
    and d.expires_at > now() and d.expires_at <= now() + make_interval(hours => ${hoursBefore})`;
  return ask(db).row<Place>`
    with looked as materialized (
      select d.expires_at, d.id as deal_id, f.id, f.user_id, f.reminded_for is distinct from d.expires_at as is_due
        from deals d join user_favorites f on f.deal_id = d.id
       where ${isSoon} and (d.expires_at, d.id) >= (${endsAt}::timestamptz, ${dealId}::bigint)
         and (d.expires_at, d.id, f.id) > (${endsAt}::timestamptz, ${dealId}::bigint, ${favoriteId}::bigint)
       order by d.expires_at, d.id, f.id limit ${most}
    ), due as (
      select f.id, f.user_id, f.deal_id, d.expires_at
        from (select distinct user_id from looked where is_due) found
        join users u on u.id = found.user_id and u.remind_before_expiry and u.email_verified
        join user_favorites f on f.user_id = u.id join deals d on d.id = f.deal_id
       where ${isSoon} and f.reminded_for is distinct from d.expires_at
       order by f.id for update of f skip locked
    ), marked as (
      update user_favorites f set reminded_for = due.expires_at from due where f.id = due.id
      returning f.id, f.user_id, f.deal_id, f.reminded_for
    ), queued as (
      insert into mail_outbox (key, kind, recipient, user_id, payload, is_bulk)
        select 'favorites-expiring:' || md5(string_agg(m.id || '@' || extract(epoch from m.reminded_for), ',' order by m.id)),
               'favorites-expiring', u.email, u.id,
               jsonb_build_object('dealIds', jsonb_agg(m.deal_id order by m.id)), true
          from marked m join users u on u.id = m.user_id
         group by u.id, u.email
      on conflict (key) do nothing)
    select expires_at::text as "endsAt", deal_id as "dealId", id as "favoriteId" from looked
     order by expires_at desc, deal_id desc, id desc limit 1`;
}
