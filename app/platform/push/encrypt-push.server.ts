import { createECDH, ECDH } from 'node:crypto';
import ece from 'http_ece';

/** The keys of a browser, so that only that browser can read its messages. */
export interface PushKeys {
  /** The browser's public key, an uncompressed point of P-256, base64url. */
  p256dh: string;
  /** The browser's secret of 16 random bytes, base64url. */
  auth: string;
}

const curve = 'prime256v1';
/** bytes; one record without the header, the tag and the delimiter */
export const longestPush = 4096 - 86 - 17;

/**
 * Returns the body of a push message (RFC 8291): one record of `aes128gcm` (RFC 8188). `fixed` is
 * for the RFC's own example.
 */
export function encryptPush(
  plain: Buffer,
  { p256dh, auth }: PushKeys,
  fixed?: { privateKey: Buffer; salt: Buffer },
): Buffer {
  if (plain.length > longestPush) throw new Error('a push message holds one record');
  const own = createECDH(curve);
  if (fixed) own.setPrivateKey(fixed.privateKey);
  else own.generateKeys();
  const parameters = { dh: p256dh, authSecret: auth, privateKey: own, salt: fixed?.salt };
  return ece.encrypt(plain, { version: 'aes128gcm', ...parameters });
}

/** Returns whether these keys are usable: a point on the curve, and sixteen random bytes. */
export function arePushKeys({ p256dh, auth }: PushKeys): boolean {
  if (!/^[\w-]{87}$/.test(p256dh) || !/^[\w-]{22}$/.test(auth)) return false;
  try {
    ECDH.convertKey(p256dh, curve, 'base64url'); // The conversion throws for a point off the curve.
    return true;
  } catch {
    return false;
  }
}
