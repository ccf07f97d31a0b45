import { type RawBuilder, sql } from 'kysely';
import { isSuspended } from '#app/platform/mail/suspension-queries.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

export interface Audience {
  audience_since: Date | null;
  audience_confirmed: boolean;
  /** If absent, the audience is the subscribers of all lists. */
  list_id?: number;
  /** Only followers of this category or store; if both are set, followers of either. */
  audience_category_id?: number | null;
  audience_merchant_id?: number | null;
}

/**
 * Selects the subscriptions `s` in a newsletter's audience as of `until`, excluding ended,
 * unconfirmed and suspended ones.
 */
export function inAudience(audience: Audience, until: Date): RawBuilder<boolean> {
  const { audience_since: since, audience_confirmed: isConfirmed, list_id: listId } = audience;
  return sql`(s.is_active and s.subscribed_at <= ${until}
    and ${since === null ? sql`true` : sql`s.subscribed_at >= ${since}`}
    and ${isConfirmed ? sql`s.confirmed_at is not null` : sql`true`}
    and ${listId === undefined ? sql`true` : sql`${listId} = any(s.list_ids)`}
    and ${inSegment(audience)}
    and not ${isSuspended(sql.ref('s.email'))})`;
}

/**
 * Selects the followers of a category or store: those who chose it, and those with a verified
 * account and a favorite there. Their ids are read once instead of per subscriber.
 */
function inSegment({ audience_category_id, audience_merchant_id }: Audience): RawBuilder<boolean> {
  const category = audience_category_id ?? null;
  const merchant = audience_merchant_id ?? null;
  if (category === null && merchant === null) return sql`true`;
  const followed = [
    ...(category === null
      ? []
      : [
          sql`select id from newsletter_subscriptions where followed_category_ids <> '{}'
                and followed_category_ids @> array[${category}::integer]`,
          ofFavorites(sql`d.category_id = ${category}`),
        ]),
    ...(merchant === null
      ? []
      : [
          sql`select id from newsletter_subscriptions where followed_merchant_ids <> '{}'
                and followed_merchant_ids @> array[${merchant}::integer]`,
          ofFavorites(sql`d.merchant_id = ${merchant}`),
        ]),
  ];
  return sql`s.id in (${sql.join(followed, sql` union all `)})`;
}

function ofFavorites(condition: RawBuilder<unknown>) {
  return sql`
    select n.id from deals d join user_favorites f on f.deal_id = d.id
      join users u on u.id = f.user_id and u.email_verified
      join newsletter_subscriptions n on lower(n.email) = u.email and n.follows_favorites
     where ${condition}`;
}

/**
 * Counts an audience. If it includes everybody, counts only subscribers who joined after `until`
 * or are suspended, and subtracts them from the total.
 */
export async function countAudience(db: Db, audience: Audience, until: Date): Promise<number> {
  const isNarrowed =
    audience.audience_since !== null ||
    audience.list_id !== undefined ||
    (audience.audience_category_id ?? audience.audience_merchant_id ?? null) !== null;
  if (isNarrowed) {
    const some = sql`
      select count(*) from newsletter_subscriptions s where ${inAudience(audience, until)}`;
    return (await ask(db).value<number>`${some}`) ?? 0;
  }
  const isConfirmed = audience.audience_confirmed;
  const belongs = isConfirmed ? sql`s.is_active and s.confirmed_at is not null` : sql`s.is_active`;
  const count = await ask(db).value<number>`
    select (select value from site_counters where name = ${isConfirmed ? 'confirmed_subscriptions' : 'active_subscriptions'})
         - (select count(*) from newsletter_subscriptions s where ${belongs} and s.subscribed_at > ${until})
         - (select count(*) from mail_suspensions m join newsletter_subscriptions s on lower(s.email) = m.recipient
             where m.lifted_at is null and ${belongs} and s.subscribed_at <= ${until})`;
  return count ?? 0;
}
