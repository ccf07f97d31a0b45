import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { storedSecret, oncePerDatabase } from '#app/platform/site-secret.server.ts';

/** The keys that identify the site to push services (RFC 8292). */
export type VapidKeys = Awaited<ReturnType<typeof vapidKeys>>;

/**
 * Returns the keys. The keys are generated once for the site, at its first start, and stored with
 * its secrets.
 */
export const vapidKeys = oncePerDatabase(async (db) => {
  const value = await storedSecret(db, 'vapid', () => {
    const made = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
    return made.export({ format: 'der', type: 'pkcs8' }).toString('base64url');
  });
  const key = Buffer.from(value, 'base64url');
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const point = [Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  // The public key is an uncompressed point. Browsers subscribe to it, so it never changes.
  return { privateKey, publicKey: Buffer.concat(point).toString('base64url') };
});

const validForSeconds = 12 * 3600;

/**
 * Returns the header that identifies the sender to a push service, with a contact in case of abuse.
 */
export async function vapidHeader(
  { publicKey, privateKey }: VapidKeys,
  endpoint: string,
  contact: string,
  now: Date,
): Promise<string> {
  const exp = Math.floor(now.getTime() / 1000) + validForSeconds;
  const token = await new SignJWT({ aud: new URL(endpoint).origin, exp, sub: contact })
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .sign(privateKey);
  return `vapid t=${token}, k=${publicKey}`;
}
