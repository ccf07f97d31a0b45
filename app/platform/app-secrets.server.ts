import { randomBytes } from 'node:crypto';
import type { Db } from '#database/connect.ts';

/**
 * A key of 256 bits that all processes of the site share, made on first use. It never leaves the database but to
 * sign; name it after what it signs, with a version: `newsletter-links-v1`.
 */
export async function readAppSecret(db: Db, name: string): Promise<Buffer> {
  const find = () =>
    db.selectFrom('app_secrets').select('value').where('name', '=', name).executeTakeFirst();
  const found = await find();
  if (found) return found.value;
  await db
    .insertInto('app_secrets')
    .values({ name, value: randomBytes(32) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { value } = (await find()) ?? {};
  if (!value) throw new Error(`the secret ${name} could not be kept`);
  return value;
}
