import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { type FollowTarget, targetText } from './follow-target.ts';

/** A followed store, category or brand, as shown to its follower. */
export interface Follow {
  target: FollowTarget;
  name: string;
  slug: string | null;
  /** The number of live deals. `null` for brands, which have no counter. */
  dealCount: number | null;
}

interface Row {
  merchant_id: number | null;
  category_id: number | null;
  name: string;
  slug: string | null;
  deal_count: number | null;
}

/** Returns everything that a user follows, sorted by kind and name. */
export async function listFollows(db: Db, userId: string): Promise<Follow[]> {
  const rows = await ask(db).rows<Row>`/* often */
    select f.merchant_id, f.category_id, coalesce(m.name, c.name, f.brand_name) as name,
           coalesce(m.slug, c.slug) as slug, coalesce(m.deal_count, c.deal_count) as deal_count
      from follows f left join merchants m on m.id = f.merchant_id left join categories c on c.id = f.category_id
     where f.user_id = ${userId}
     order by f.merchant_id is null, f.category_id is null, fold(coalesce(m.name, c.name, f.brand_name)), f.id`;
  return rows.map(({ merchant_id, category_id, name, slug, deal_count: dealCount }) => ({
    target:
      merchant_id !== null
        ? { kind: 'merchant', id: merchant_id }
        : category_id !== null
          ? { kind: 'category', id: category_id }
          : { kind: 'brand', name },
    name,
    slug,
    dealCount,
  }));
}

/** A store or category with many deals. */
export interface Popular {
  target: string;
  name: string;
  kind: 'merchant' | 'category';
  deal_count: number;
}

/** Returns the stores and categories with the most live deals that the user doesn't follow yet. */
export async function listPopular(db: Db, userId: string, limit: number): Promise<Popular[]> {
  const most = (kind: Popular['kind'], table: string) => sql`(
    select ${kind}::text as kind, id, name, deal_count from ${sql.table(table)} one
     where deal_count > 0
       and not exists (select from follows f where f.user_id = ${userId} and f.${sql.ref(`${kind}_id`)} = one.id)
     order by deal_count desc, id limit ${limit})`;
  const rows = await ask(db).rows<Omit<Popular, 'target'> & { id: number }>`
    ${most('merchant', 'merchants')} union all ${most('category', 'categories')}`;
  return rows.map(({ id, ...row }) => ({ ...row, target: targetText({ kind: row.kind, id }) }));
}

/**
 * The condition that a user wants the weekly email and may receive it. An index has the same
 * condition.
 */
export const getsWeeklyMail = sql<boolean>`follows_mailed_at is not null and email_verified and suspended_at is null`;

/** Returns whether the user wants the weekly email. */
export async function isMailedWeekly(db: Db, userId: string): Promise<boolean> {
  return (
    (await ask(db)
      .value<boolean>`select follows_mailed_at is not null from users where id = ${userId}`) ??
    false
  );
}

/**
 * Turns the weekly email on or off. The first email is sent a week later. The time is rounded to
 * milliseconds, the precision of JavaScript dates.
 */
export async function setMailedWeekly(db: Db, userId: string, isWanted: boolean): Promise<void> {
  const since = isWanted
    ? sql`coalesce(follows_mailed_at, date_trunc('milliseconds', now()))`
    : sql`null`;
  await sql`update users set follows_mailed_at = ${since} where id = ${userId}`.execute(db);
}
