import { sql } from 'kysely';
import { type Db, sessionsOf } from '#database/connect.ts';
import type { CategoryIcon } from '#database/schema/catalog-tables.ts';
import { slugify } from '#database/slug.ts';

/**
 * Runs `work` in a separate session that holds the import lock, so that only one import runs across
 * all processes. Returns `null` if the lock is taken. The lock is released with the session.
 */
export function underImportLock<T>(db: Db, work: (session: Db) => Promise<T>): Promise<T | null> {
  return sessionsOf(db)
    .connection()
    .execute(async (session) => {
      const { rows } = await sql<{ locked: boolean }>`
        select pg_try_advisory_lock(${lockNumber}) as locked`.execute(session);
      if (!rows[0]?.locked) return null;
      try {
        return await work(session);
      } finally {
        await sql`reset statement_timeout`.execute(session).catch(() => {});
        // A lost session has also lost its lock. The error from unlocking must not hide the
        // original one.
        await sql`select pg_advisory_unlock(${lockNumber})`.execute(session).catch(() => {});
      }
    });
}

/**
 * Allows long statements, since comparing millions of rows with the deals takes several minutes.
 */
export async function allowLongStatements(session: Db): Promise<void> {
  await sql`set statement_timeout = '2h'`.execute(session);
}

const lockNumber = sql<number>`hashtextextended('imports', 0)`;

/**
 * Updates statistics after many new deals. Until autovacuum runs, the planner would assume few
 * deals.
 */
export async function refreshDealStatistics(db: Db): Promise<void> {
  await sql`analyze deals`.execute(db);
}

export async function findMerchantId(db: Db, name: string): Promise<number | null> {
  const merchant = await db
    .selectFrom('merchants')
    .select('id')
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .orderBy('id')
    .executeTakeFirst();
  return merchant?.id ?? null;
}

export async function findWebsite(db: Db, merchant: string): Promise<string | null> {
  const id = await findMerchantId(db, merchant);
  if (id === null) return null;
  const found = await db
    .selectFrom('merchants')
    .select('website_url')
    .where('id', '=', id)
    .executeTakeFirst();
  return found?.website_url ?? null;
}

/** The merchant has no description until staff write one. */
export function insertMerchant(db: Db, name: string): Promise<number> {
  return insertNamed(db, 'merchants', name, {});
}

export async function listCategoryNames(db: Db) {
  return db.selectFrom('categories').select(['id', 'name', 'slug']).orderBy('id').execute();
}

/**
 * Only one import at a time may add categories, so that a new category that two imports need is
 * created once.
 */
export async function lockCategories(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('import adds categories', 0))`.execute(
    db,
  );
}

export function insertCategory(db: Db, name: string, icon: CategoryIcon): Promise<number> {
  return insertNamed(db, 'categories', name, { icon });
}

/** Uses the first free slug of the name. Old slugs of other rows redirect, so they are not free. */
async function insertNamed(
  db: Db,
  table: 'merchants' | 'categories',
  name: string,
  more: { icon?: CategoryIcon },
): Promise<number> {
  const kind = { merchants: 'merchant', categories: 'category' }[table];
  const base = slugify(name) || kind;
  const slug = sql<string>`(
    select candidate from (
      select 1 as n, ${base}::text as candidate
      union all
      select n, ${base} || '-' || n from generate_series(2,
        (select count(*) from ${sql.table(table)}) +
        (select count(*) from slug_redirects where kind = ${kind}) + 2) n
    ) c where not exists (select 1 from ${sql.table(table)} t where t.slug = c.candidate)
          and not exists (select 1 from slug_redirects r where r.kind = ${kind} and r.slug = c.candidate)
    order by n limit 1)`;
  const { id } = await db
    .insertInto(table)
    .values({ name, slug, ...more })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns suggestions for a text field. */
export async function listMerchantNames(db: Db, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('merchants')
    .select('name')
    .orderBy(sql`lower(name)`)
    .limit(most)
    .execute();
  return rows.map(({ name }) => name);
}
