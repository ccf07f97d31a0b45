import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { Holder } from '#app/features/accounts/policy.ts';
import { setRightsOf } from '#app/features/accounts/people/set-rights.server.ts';
import type { Role } from '#database/schema/account-tables.ts';
import type { ApiKeyRight } from '#database/schema/program-tables.ts';

/** An API key as listed in the admin, without the key itself. */
export type ApiKeySummary = Awaited<ReturnType<typeof listApiKeys>>[number];

/** Returns active keys first, newest first. */
export function listApiKeys(db: Db, limit: number) {
  return db
    .selectFrom('api_keys')
    .leftJoin('users', 'users.id', 'api_keys.created_by')
    .select([
      'api_keys.id',
      'api_keys.name',
      'api_keys.prefix',
      'api_keys.per_minute',
      'api_keys.rights',
      'users.email as created_by',
      'users.role as maker_role',
      'users.right_set as rightSet',
      setRightsOf('users').as('setRights'),
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

interface KnownApiKey extends Pick<Holder, 'rightSet' | 'setRights'> {
  id: number;
  per_minute: number | null;
  rights: ApiKeyRight[];
  /** The creator's current role, or `null` if the account was deleted. */
  role: Role | null;
  isUsedNow: boolean;
}

/** Returns the active key with this hash. The key of a suspended creator is inactive. */
export function findApiKey(db: Db, keyHash: string): Promise<KnownApiKey | null> {
  return ask(db).row<KnownApiKey>`
    select k.id, k.per_minute, k.rights, u.role, u.right_set as "rightSet",
           ${setRightsOf('u')} as "setRights",
           coalesce(k.last_used_at >= date_trunc('hour', now()), false) as "isUsedNow"
      from api_keys k left join users u on u.id = k.created_by
     where k.key_hash = ${keyHash} and k.revoked_at is null and u.suspended_at is null`;
}

/** Records the use of a key once an hour, so that requests rarely cause a write. */
export async function noteApiKeyUse(db: Db, id: number): Promise<void> {
  await sql`
    update api_keys set last_used_at = date_trunc('hour', now())
     where id = ${id} and (last_used_at is null or last_used_at < date_trunc('hour', now()))`.execute(
    db,
  );
}
