import { type RawBuilder, sql } from 'kysely';
import { isSuspended } from '#app/platform/mail/suspension-queries.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

export interface Audience {
  audience_since: Date | null;
  audience_confirmed: boolean;
}

/** Subscriptions `s` that a newsletter is for, of those there were at `until`. Nobody who left, still waits or is suspended. */
export function inAudience(audience: Audience, until: Date): RawBuilder<boolean> {
  const { audience_since: since, audience_confirmed: isConfirmed } = audience;
  return sql`(s.is_active and s.subscribed_at <= ${until}
    and ${since === null ? sql`true` : sql`s.subscribed_at >= ${since}`}
    and ${isConfirmed ? sql`s.confirmed_at is not null` : sql`true`}
    and not ${isSuspended(sql.ref('s.email'))})`;
}

export async function countAudience(db: Db, audience: Audience, until: Date): Promise<number> {
  const count = await ask(db).value<number>`
    select count(*) from newsletter_subscriptions s where ${inAudience(audience, until)}`;
  return count ?? 0;
}
