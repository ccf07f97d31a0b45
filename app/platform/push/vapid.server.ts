import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Db } from '#database/connect.ts';

/** How the site tells push services who it is (RFC 8292). */
export interface VapidKeys {
  /** An uncompressed point, base64url: browsers subscribe to it, so it never changes. */
  publicKey: string;
  privateKey: KeyObject;
}

const made = new WeakMap<Db, Promise<VapidKeys>>();

/** Made once for the site, at its first start, by whichever process comes first; kept with its secrets (R33). */
export function vapidKeys(db: Db): Promise<VapidKeys> {
  let keys = made.get(db);
  if (!keys) {
    keys = readKeys(db);
    made.set(db, keys);
    keys.catch(() => made.delete(db)); // a database that was away is asked again
  }
  return keys;
}

async function readKeys(db: Db): Promise<VapidKeys> {
  const stored = db.selectFrom('site_secrets').select('value').where('name', '=', 'vapid');
  const row = (await stored.executeTakeFirst()) ?? (await makeKeys(db));
  const { value } = row ?? (await stored.executeTakeFirstOrThrow());
  const privateKey = createPrivateKey({
    key: Buffer.from(value, 'base64url'),
    format: 'der',
    type: 'pkcs8',
  });
  const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const point = [Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  return { privateKey, publicKey: Buffer.concat(point).toString('base64url') };
}

async function makeKeys(db: Db): Promise<{ value: string } | undefined> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const value = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url');
  return db
    .insertInto('site_secrets')
    .values({ name: 'vapid', value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('value')
    .executeTakeFirst();
}

const validForSeconds = 12 * 3600;

/** The header that lets a push service know its sender, and whom to write to should we misbehave. */
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
