import { sql } from 'kysely';
import { insertUser } from '#test/factories/insert.ts';
import type { Role } from '#database/schema/account-tables.ts';
import type { TestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import type { TestSite } from '#test/site.ts';
import { testVisitor, type TestVisitor } from '#test/visitor.ts';
import { hashPassword } from '#app/features/accounts/passwords/password-hash.server.ts';
import { openSession } from '#app/features/accounts/sessions/open-session.server.ts';

/** The default password of `givePassword`. */
export const staffPassword = 'walking the hills';

/** Confirms the password for forms that ask for it again. */
export async function givePassword(
  database: Pick<TestDatabase, 'db'>,
  userId: string,
  password = staffPassword,
): Promise<void> {
  await database.db
    .insertInto('accounts')
    .values({
      id: `account-${userId}`,
      account_id: userId,
      provider_id: 'credential',
      user_id: userId,
      password: await hashPassword(password),
    })
    .execute();
}

/** Creates a new user who signed in a while ago. Returns the user and the session cookie. */
export async function signIn(
  { db }: Pick<TestDatabase, 'db'>,
  overrides: Parameters<typeof insertUser>[1] = {},
  origin = testOrigin,
): Promise<{ user: Awaited<ReturnType<typeof insertUser>>; cookie: string }> {
  const user = await insertUser(db, overrides);
  const place = { origin, address: '192.0.2.1', userAgent: 'test' };
  const line = await db.transaction().execute((tx) => openSession(tx, user.id, place));
  // For a user without a password, a recent sign-in would replace the confirmation.
  await db
    .updateTable('sessions')
    .set({ created_at: sql<Date>`now() - interval '1 hour'` })
    .where('user_id', '=', user.id)
    .execute();
  return { user, cookie: line.split(';', 1)[0] ?? '' };
}

/** A signed-in user whose browser stores cookies and runs no scripts. */
export async function signedInVisitor(
  database: TestDatabase,
  site: TestSite,
  role: Role,
  overrides: { id?: string; email?: string; full_name?: string } = {},
): Promise<TestVisitor & { userId: string }> {
  const { user, cookie } = await signIn(database, { role, ...overrides });
  const visitor = testVisitor(site);
  const [name = '', value = ''] = cookie.split('=');
  visitor.cookies.set(name, value);
  return { ...visitor, userId: user.id };
}

/** Returns the flash message that an admin form left for the next page, or an empty string. */
export function flashOf({ headers }: { headers: Headers }): string {
  const line = headers.getSetCookie().find((cookie) => /^[\w-]*flash=[^;]/.test(cookie)) ?? '';
  const [, value = ''] = /=([^;]*)/.exec(line) ?? [];
  if (value === '') return '';
  const { text } = JSON.parse(Buffer.from(value, 'base64url').toString()) as { text: string };
  return text;
}
