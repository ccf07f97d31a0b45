import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

/** A key as the back office lists it: never the key itself. */
export type ApiKeySummary = Awaited<ReturnType<typeof listApiKeys>>[number];

/** Those in use first, newest first. */
export function listApiKeys(db: Db, limit: number) {
  return db
    .selectFrom('api_keys')
    .leftJoin('users', 'users.id', 'api_keys.created_by')
    .select([
      'api_keys.id',
      'api_keys.name',
      'api_keys.prefix',
      'api_keys.per_minute',
      'users.email as created_by',
      'users.suspended_at as stopped_at',
      'api_keys.created_at',
      'api_keys.last_used_at',
      'api_keys.revoked_at',
    ])
    .orderBy((eb) => eb('api_keys.revoked_at', 'is not', null))
    .orderBy('api_keys.id', 'desc')
    .limit(limit)
    .execute();
}

/** The key in use that has this hash. One whose maker is suspended is not. */
export async function findApiKey(db: Db, keyHash: string) {
  const { rows } = await sql<{ id: number; per_minute: number | null; isUsedNow: boolean }>`
    select id, per_minute, coalesce(last_used_at >= date_trunc('hour', now()), false) as "isUsedNow"
      from api_keys where key_hash = ${keyHash} and revoked_at is null
       and not exists (select from users u where u.id = created_by and u.suspended_at is not null)`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** Once an hour is enough for people, so a request seldom costs a write. */
export async function noteApiKeyUse(db: Db, id: number): Promise<void> {
  await sql`
    update api_keys set last_used_at = date_trunc('hour', now())
     where id = ${id} and (last_used_at is null or last_used_at < date_trunc('hour', now()))`.execute(
    db,
  );
}
