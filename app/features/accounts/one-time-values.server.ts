import { randomUUID } from 'node:crypto';
import type { Db } from '#database/connect.ts';
import { hashToken, newToken } from './hash-token.server.ts';

/** What may be done once by whoever holds a token, by the table's words for it. */
export type Purpose =
  | 'verify-email'
  | 'reset-password'
  | 'setup'
  | 'second-factor'
  | 'provider-state'
  | 'passkey-add'
  | 'passkey-sign-in'
  | 'passkey-confirm';

// The purpose is part of what is hashed, so that a token is good for nothing but what it was given out for (R10).
const identifierOf = (purpose: Purpose, token: string) => hashToken(`${purpose}:${token}`);

/** Keeps a value for whoever brings the token, which only they have: the database holds its hash. */
export async function keepOnce(
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

/** The value, which stays; null for a token that is unknown, used up or too old. */
export async function findOnce(db: Db, purpose: Purpose, token: string): Promise<string | null> {
  const row = await db
    .selectFrom('verifications')
    .select('value')
    .where('identifier', '=', identifierOf(purpose, token))
    .where('expires_at', '>', new Date())
    .executeTakeFirst();
  return row?.value ?? null;
}

/** The same and uses it up, in one statement: of two who bring the token at once, one has the value. */
export async function takeOnce(db: Db, purpose: Purpose, token: string): Promise<string | null> {
  const row = await db
    .deleteFrom('verifications')
    .where('identifier', '=', identifierOf(purpose, token))
    .returning(['value', 'expires_at'])
    .executeTakeFirst();
  return row && row.expires_at > new Date() ? row.value : null;
}
