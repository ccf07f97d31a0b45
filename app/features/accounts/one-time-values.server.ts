import { randomUUID } from 'node:crypto';
import type { Db } from '#database/connect.ts';
import { hashToken, newToken } from './hash-token.server.ts';

/** The actions that a token permits once. */
export type Purpose =
  | 'verify-email'
  | 'reset-password'
  | 'setup'
  | 'second-factor'
  | 'provider-state'
  | 'passkey-add'
  | 'passkey-sign-in'
  | 'passkey-confirm';

// The purpose is part of the hash, so that a token works for no other purpose.
const identifierOf = (purpose: Purpose, token: string) => hashToken(`${purpose}:${token}`);

/** Stores a value for the holder of the token; the database has only the token's hash. */
export async function storeOnce(
  db: Db,
  purpose: Purpose,
  value: string,
  { validForMs, token = newToken() }: { validForMs: number; token?: string },
): Promise<string> {
  const identifier = identifierOf(purpose, token);
  const expires_at = new Date(Date.now() + validForMs);
  const id = randomUUID();
  await db.insertInto('verifications').values({ id, identifier, value, expires_at }).execute();
  return token;
}

/**
 * Reads the value without using the token up. Returns `null` if the token is unknown, used or
 * expired.
 */
export async function findOnce(db: Db, purpose: Purpose, token: string): Promise<string | null> {
  const row = await db
    .selectFrom('verifications')
    .select('value')
    .where('identifier', '=', identifierOf(purpose, token))
    .where('expires_at', '>', new Date())
    .executeTakeFirst();
  return row?.value ?? null;
}

/**
 * Reads the value and deletes the token in one statement. If two requests use the token at once,
 * only one gets the value.
 */
export async function takeOnce(db: Db, purpose: Purpose, token: string): Promise<string | null> {
  const row = await db
    .deleteFrom('verifications')
    .where('identifier', '=', identifierOf(purpose, token))
    .returning(['value', 'expires_at'])
    .executeTakeFirst();
  return row && row.expires_at > new Date() ? row.value : null;
}
