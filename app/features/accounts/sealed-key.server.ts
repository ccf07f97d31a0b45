import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Db } from '#database/connect.ts';
import { siteSecret } from '#app/platform/site-secret.server.ts';

const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts for the table, bound to its user: a row copied to somebody else does not open. */
export async function sealKey(db: Db, userId: string, key: Buffer): Promise<Buffer> {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', await sealingKey(db), nonce).setAAD(
    Buffer.from(userId),
  );
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
}

export async function openSealedKey(db: Db, userId: string, sealed: Buffer): Promise<Buffer> {
  const decipher = createDecipheriv(
    'aes-256-gcm',
    await sealingKey(db),
    sealed.subarray(0, nonceBytes),
  )
    .setAAD(Buffer.from(userId))
    .setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}

async function sealingKey(db: Db): Promise<Buffer> {
  return Buffer.from(await siteSecret(db, 'two-factor keys'), 'base64url');
}
