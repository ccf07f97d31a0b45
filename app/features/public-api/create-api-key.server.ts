import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { hashToken, newToken } from '#app/features/accounts/hash-token.server.ts';
import type { Db } from '#database/connect.ts';
import type { ApiKeyRight } from '#database/schema/program-tables.ts';
import { apiKeyWords } from './api-key-rights.ts';

export const mostApiKeys = 100;
/** The prefix lets people and scanners recognize a leaked key in a file. */
const mark = 'dealhub_';
const shownLetters = 6;

export type CreateApiKeyResult =
  | { ok: true; id: number; /** The key, shown once and never stored. */ key: string }
  | { ok: false; reason: 'too-many' };

/**
 * Creates a key of 256 random bits, of which only the hash is stored. If `perMinute` is null, the
 * site's own limit applies.
 */
export async function createApiKey(
  db: Db,
  {
    actor,
    name,
    perMinute,
    rights = ['limits'],
  }: { actor: string; name: string; perMinute: number | null; rights?: ApiKeyRight[] },
): Promise<CreateApiKeyResult> {
  const key = mark + newToken();
  return db.transaction().execute(async (tx) => {
    const { count } = await tx
      .selectFrom('api_keys')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (count >= mostApiKeys) return { ok: false, reason: 'too-many' };
    const prefix = key.slice(0, mark.length + shownLetters);
    const { id } = await tx
      .insertInto('api_keys')
      .values({
        name,
        prefix,
        key_hash: hashToken(key),
        per_minute: perMinute,
        rights,
        created_by: actor,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await writeAudit(tx, {
      actor,
      action: 'api-key.create',
      entity: 'api_key',
      entityId: id,
      after: {
        name,
        prefix,
        may: rights.map((right) => apiKeyWords[right].label),
        per_minute: perMinute,
      },
    });
    return { ok: true, id, key };
  });
}
