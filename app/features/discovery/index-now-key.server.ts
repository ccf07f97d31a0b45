import { randomBytes } from 'node:crypto';
import { storedSecret } from '#app/platform/site-secret.server.ts';
import type { Db } from '#database/connect.ts';

/** Returns the site's key for IndexNow, created on first use. The key is public. */
export function indexNowKey(db: Db): Promise<string> {
  return storedSecret(db, 'indexnow key', () => randomBytes(16).toString('hex'));
}
