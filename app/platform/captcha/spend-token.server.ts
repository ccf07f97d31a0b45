import { createHash } from 'node:crypto';
import type { Db } from '#database/connect.ts';

/**
 * Returns true once for each token. The token's hash is stored until the token would have expired
 * by itself.
 */
export async function spendToken(db: Db, token: string, expiresAt: Date): Promise<boolean> {
  const spent = await db
    .insertInto('captcha_spent')
    .values({
      token_hash: createHash('sha256').update(token).digest('base64url'),
      expires_at: expiresAt,
    })
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .returning('token_hash')
    .executeTakeFirst();
  return spent !== undefined;
}
