import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { openSealedSecret, sealSecret } from '#app/platform/sealed-secret.server.ts';
import { storedSecret } from '#app/platform/site-secret.server.ts';
import type { Db } from '#database/connect.ts';

const sealedFor = { purpose: 'evidence key', owner: 'site' } as const;

/** Signs checkpoints with the site's Ed25519 key, which is created when it is first needed. */
export async function openEvidenceKey(db: Db) {
  const made = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
  const sealed = await sealSecret(db, sealedFor, made);
  const stored = await storedSecret(db, 'evidence key', () => sealed.toString('base64url'));
  const bytes = await openSealedSecret(db, sealedFor, Buffer.from(stored, 'base64url'));
  const key = createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' });
  return { publicKey: rawKey(key), sign: (text: string) => sign(null, Buffer.from(text), key) };
}

function rawKey(key: KeyObject): string {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('hex');
}
