import { hkdfSync, randomBytes } from 'node:crypto';
import type { Db } from '#database/connect.ts';

const rootOf = oncePerDatabase(async (db) => {
  const value = await storedSecret(db, 'root', () => randomBytes(32).toString('base64url'));
  return Buffer.from(value, 'base64url');
});

/**
 * Returns a secret of this site for one purpose, such as `captcha`. A signature for one purpose is
 * invalid for another. All secrets derive from one random value that the site creates once and
 * stores in its database.
 */
export async function siteSecret(db: Db, purpose: string): Promise<string> {
  const derived = hkdfSync('sha256', await rootOf(db), '', `deal-hub ${purpose}`, 32);
  return Buffer.from(derived).toString('base64url');
}

/**
 * Returns the secret with this name in the site's database. The first process that needs it creates
 * it.
 */
export async function storedSecret(db: Db, name: string, make: () => string): Promise<string> {
  const stored = db.selectFrom('site_secrets').select('value').where('name', '=', name);
  const known = await stored.executeTakeFirst();
  if (known) return known.value;
  await db
    .insertInto('site_secrets')
    .values({ name, value: make() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await stored.executeTakeFirstOrThrow()).value;
}

/** Reads the secret once for each database, and again after a failure. */
export function oncePerDatabase<Value>(read: (db: Db) => Promise<Value>) {
  const made = new WeakMap<Db, Promise<Value>>();
  return (db: Db): Promise<Value> => {
    const known = made.get(db);
    if (known) return known;
    const value = read(db);
    made.set(db, value);
    value.catch(() => made.delete(db));
    return value;
  };
}
