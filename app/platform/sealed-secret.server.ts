import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { siteSecret } from '#app/platform/site-secret.server.ts';
import type { Db } from '#database/connect.ts';

const nonceBytes = 12;
const tagBytes = 16;

/**
 * The purpose and the owner of a secret. A secret sealed for one owner cannot be opened for
 * another.
 */
export interface SealedFor {
  purpose:
    | 'two-factor keys'
    | 'webhook secrets'
    | 'feed sign-ins'
    | 'mail server'
    | 'evidence key'
    | 'channel settings'
    | 'list links';
  owner: string;
}

/** Encrypts a secret for a table. A row that is copied to another owner cannot be opened. */
export async function sealSecret(db: Db, whose: SealedFor, secret: Buffer): Promise<Buffer> {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', await sealingKey(db, whose), nonce);
  cipher.setAAD(Buffer.from(whose.owner));
  return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
}

export async function openSealedSecret(db: Db, whose: SealedFor, sealed: Buffer): Promise<Buffer> {
  const nonce = sealed.subarray(0, nonceBytes);
  const decipher = createDecipheriv('aes-256-gcm', await sealingKey(db, whose), nonce);
  decipher.setAAD(Buffer.from(whose.owner)).setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}

async function sealingKey(db: Db, { purpose }: SealedFor): Promise<Buffer> {
  return Buffer.from(await siteSecret(db, purpose), 'base64url');
}
