import { type RawBuilder, sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

export interface Audience {
  audience_since: Date | null;
  audience_confirmed: boolean;
}

/** Subscriptions `s` that a newsletter is for, of those there were at `until`. Nobody who left or still waits. */
export function inAudience(audience: Audience, until: Date): RawBuilder<boolean> {
  const { audience_since: since, audience_confirmed: isConfirmed } = audience;
  return sql`(s.is_active and s.subscribed_at <= ${until}
    and ${since === null ? sql`true` : sql`s.subscribed_at >= ${since}`}
    and ${isConfirmed ? sql`s.confirmed_at is not null` : sql`true`})`;
}

export async function countAudience(db: Db, audience: Audience, until: Date): Promise<number> {
  const count = await ask(db).value<number>`
    select count(*) from newsletter_subscriptions s where ${inAudience(audience, until)}`;
  return count ?? 0;
}
