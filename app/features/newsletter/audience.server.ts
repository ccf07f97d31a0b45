import { type RawBuilder, sql } from 'kysely';
import { isSuspended } from '#app/platform/mail/suspension-queries.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

export interface Audience {
  audience_since: Date | null;
  audience_confirmed: boolean;
}

/**
 * Selects subscriptions `s` in a newsletter's audience as of `until`, without ended, unconfirmed
 * and suspended ones.
 */
export function inAudience(audience: Audience, until: Date): RawBuilder<boolean> {
  const { audience_since: since, audience_confirmed: isConfirmed } = audience;
  return sql`(s.is_active and s.subscribed_at <= ${until}
    and ${since === null ? sql`true` : sql`s.subscribed_at >= ${since}`}
    and ${isConfirmed ? sql`s.confirmed_at is not null` : sql`true`}
    and not ${isSuspended(sql.ref('s.email'))})`;
}

/**
 * Counts an audience. Without conditions, only subscribers who joined since `until` or are
 * suspended are counted, and subtracted from the total.
 */
export async function countAudience(db: Db, audience: Audience, until: Date): Promise<number> {
  if (audience.audience_since !== null) {
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
