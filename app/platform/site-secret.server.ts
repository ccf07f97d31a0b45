import { hkdfSync, randomBytes } from 'node:crypto';
import type { Db } from '#database/connect.ts';

const roots = new WeakMap<Db, Promise<Buffer>>();

/**
 * A secret of this site for one purpose, such as `captcha`: what is signed for one purpose is worth nothing for
 * another. All derive from one random value that the site makes once and keeps in its database.
 */
export async function siteSecret(db: Db, purpose: string): Promise<string> {
  let root = roots.get(db);
  if (!root) {
    root = readRoot(db);
    roots.set(db, root);
    root.catch(() => roots.delete(db)); // a database that was away is asked again
  }
  return Buffer.from(hkdfSync('sha256', await root, '', `deal-hub ${purpose}`, 32)).toString(
    'base64url',
  );
}

async function readRoot(db: Db): Promise<Buffer> {
  await db
    .insertInto('site_secrets')
    .values({ name: 'root', value: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { value } = await db
    .selectFrom('site_secrets')
    .select('value')
    .where('name', '=', 'root')
    .executeTakeFirstOrThrow();
  return Buffer.from(value, 'base64url');
}
