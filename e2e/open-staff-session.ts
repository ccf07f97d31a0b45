import type { BrowserContext } from 'playwright-core';
import { openSession } from '#app/features/accounts/sessions/open-session.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { connect, type Db } from '#database/connect.ts';
import { insertUser } from '#test/factories/insert.ts';
import type { Role } from '#database/schema/account-tables.ts';
import { openDatabase } from '#server/open-database.ts';
import { givePassword } from '#test/staff.ts';
import { currentShop } from './current-shop.ts';

const addresses = new Map<string, string>();

/** Uses the database of the running shop. */
export async function withShopDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const { db, close } = connect(await addressOfDatabase(), { maxConnections: 4 });
  try {
    return await work(db);
  } finally {
    await close();
  }
}

/**
 * Asks an embedded database for its URL only once, because connecting takes a third of a second.
 */
async function addressOfDatabase(): Promise<string> {
  const { origin, folder, database: known } = currentShop();
  if (known !== null) return known;
  let address = addresses.get(folder);
  if (address === undefined) {
    const env = readEnv({ DATA_DIR: folder, ORIGIN: origin });
    const database = await openDatabase(env, createLog('silent'));
    address = database.url;
    addresses.set(folder, address);
    await database.stop();
  }
  return address;
}

/** Returns the path of the product with this GTIN. */
export async function findProductPath(gtin: string): Promise<string> {
  const { slug } = await withShopDatabase((db) =>
    db
      .selectFrom('products')
      .innerJoin('product_gtins', 'product_id', 'products.id')
      .select('slug')
      .where('gtin', '=', gtin)
      .executeTakeFirstOrThrow(),
  );
  return `/products/${slug}`;
}

let sessionCount = 0;

/**
 * Signs a new administrator in without the form, which other files test. Returns the account's id.
 */
export async function openStaffSession(
  context: BrowserContext,
  name: string,
  { role = 'admin', password }: { role?: Role; password?: string } = {},
): Promise<string> {
  const { origin } = currentShop();
  const id = `staff-${name}-${(sessionCount += 1)}`;
  const line = await withShopDatabase(async (db) => {
    const user = await insertUser(db, {
      id,
      email: `${id}@staff.example`,
      full_name: name,
      role,
    });
    if (password !== undefined) await givePassword({ db }, user.id, password);
    const place = { origin, address: '127.0.0.1', userAgent: 'journey' };
    return db.transaction().execute((tx) => openSession(tx, user.id, place));
  });
  const [, cookie = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  await context.addCookies([{ name: cookie, value, url: origin }]);
  return id;
}
