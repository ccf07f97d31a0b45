import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** What a browser gave so that only it can read what is sent to it. */
export interface PushKeys {
  /** Its public key, an uncompressed point of P-256, base64url. */
  p256dh: string;
  /** 16 random bytes, base64url. */
  auth: string;
}

const curve = 'prime256v1';
const recordSize = 4096;
/** One record: less the header, the tag and the delimiter. */
export const longestPush = recordSize - 86 - 17;

/**
 * The body of a push message (RFC 8291): one record of `aes128gcm` (RFC 8188) under a key that the browser's and a
 * fresh one of ours agree on. `fixed` is for the example of the RFC only.
 */
export function encryptPush(
  plain: Buffer,
  keys: PushKeys,
  fixed?: { privateKey: Buffer; salt: Buffer },
): Buffer {
  if (plain.length > longestPush) throw new Error('a push message holds one record');
  const own = createECDH(curve);
  if (fixed) own.setPrivateKey(fixed.privateKey);
  else own.generateKeys();
  const salt = fixed?.salt ?? randomBytes(16);
  const theirs = Buffer.from(keys.p256dh, 'base64url');
  const ours = own.getPublicKey();
  const shared = own.computeSecret(theirs);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]);
  const material = derive(shared, Buffer.from(keys.auth, 'base64url'), info, 32);
  const key = derive(material, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(material, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const lastRecord = Buffer.from([2]);
  const sealed = Buffer.concat([
    cipher.update(plain),
    cipher.update(lastRecord),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(recordSize);
  return Buffer.concat([salt, size, Buffer.from([ours.length]), ours, sealed]);
}

/** Whether these can be encrypted for: a point of the curve, and sixteen bytes. */
export function arePushKeys({ p256dh, auth }: PushKeys): boolean {
  if (!/^[\w-]{87}$/.test(p256dh) || !/^[\w-]{22}$/.test(auth)) return false;
  const own = createECDH(curve);
  own.generateKeys();
  try {
    own.computeSecret(Buffer.from(p256dh, 'base64url')); // throws for what is not on the curve
    return true;
  } catch {
    return false;
  }
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
}
