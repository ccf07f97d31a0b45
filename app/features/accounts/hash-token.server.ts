import { createHash, randomBytes } from 'node:crypto';

/** What the database keeps of a secret: enough to recognize it, useless to a thief. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** 256 bits, fit for a cookie or a link. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}
