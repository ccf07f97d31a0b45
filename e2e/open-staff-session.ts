import type { BrowserContext } from 'playwright-core';
import { openSession } from '#app/features/accounts/open-session.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import type { Db } from '#database/connect.ts';
import { insertUser } from '#database/factories/insert.ts';
import type { Role } from '#database/schema.ts';
import { openDatabase } from '#server/open-database.ts';
import { givePassword } from '#test/staff.ts';
import { currentShop } from './current-shop.ts';

/** Joins the database of the running shop. */
export async function withShopDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const { origin, folder } = currentShop();
  const env = readEnv({ DATA_DIR: folder, ORIGIN: origin });
  const database = await openDatabase(env, createLog('silent'));
  try {
    return await work(database.db);
  } finally {
    await database.stop();
  }
}

/** Signs a new administrator in, without the form: signing in has journeys of its own. */
export async function openStaffSession(
  context: BrowserContext,
  name: string,
  { role = 'admin', password }: { role?: Role; password?: string } = {},
): Promise<void> {
  const { origin } = currentShop();
  const line = await withShopDatabase(async (db) => {
    const user = await insertUser(db, {
      id: `staff-${name}`,
      email: `${name}@staff.example`,
      full_name: name,
      role,
    });
    if (password !== undefined) await givePassword({ db }, user.id, password);
    const place = { origin, address: '127.0.0.1', userAgent: 'journey' };
    return db.transaction().execute((tx) => openSession(tx, user.id, place));
  });
  const [, cookie = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  await context.addCookies([{ name: cookie, value, url: origin }]);
}
