import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

const hoursBefore = 24;

/**
 * Queues one mail for each user whose favorites end within a day. The same statement marks them, so that no second run
 * or process reminds anyone again.
 */
export async function remindOfFavorites(db: Db): Promise<void> {
  await sql`
    with due as (
      select f.id, f.user_id, f.deal_id, d.expires_at
        from deals d join user_favorites f on f.deal_id = d.id join users u on u.id = f.user_id
       where d.is_active and not d.is_expired
         and d.expires_at > now() and d.expires_at <= now() + make_interval(hours => ${hoursBefore})
         and f.reminded_for is distinct from d.expires_at
         and u.remind_before_expiry and u.email_verified
       order by f.id for update of f skip locked
    ), marked as (
      update user_favorites f set reminded_for = due.expires_at from due where f.id = due.id
      returning f.id, f.user_id, f.deal_id, f.reminded_for
    )
    insert into mail_outbox (key, kind, recipient, user_id, payload, is_bulk)
      select 'favorites-expiring:' || md5(string_agg(m.id || '@' || extract(epoch from m.reminded_for), ',' order by m.id)),
             'favorites-expiring', u.email, u.id,
             jsonb_build_object('dealIds', jsonb_agg(m.deal_id order by m.id)), true
        from marked m join users u on u.id = m.user_id
       group by u.id, u.email
    on conflict (key) do nothing`.execute(db);
}
