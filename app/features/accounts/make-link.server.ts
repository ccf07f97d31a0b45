import type { OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import type { Db } from '#database/connect.ts';
import { authOn } from './auth.server.ts';
import { newToken } from './hash-token.server.ts';

export type LinkPage = 'verify-email' | 'reset-password';

/** As the library names the token of such a link, which it keeps as a hash and uses up. */
export const purposeOf = (page: LinkPage, token: string) => `${page}:${token}`;

/** The path of a link that acts for an account, good for `validForMs` and once. */
export async function makeLink(
  db: Db,
  origin: string,
  page: LinkPage,
  { userId, validForMs }: { userId: string; validForMs: number },
): Promise<string> {
  const token = newToken();
  const { store } = await authOn(db, { origin });
  const expiresAt = new Date(Date.now() + validForMs);
  await store.createVerificationValue({
    identifier: purposeOf(page, token),
    value: userId,
    expiresAt,
  });
  return `/${page}?token=${token}`;
}

/** The account that a mail was written to, while the address is still its own. */
export function accountOf(
  db: Db,
  { user_id, recipient }: Pick<OutboxMail, 'user_id' | 'recipient'>,
) {
  return db
    .selectFrom('users')
    .select('id')
    .where('id', '=', user_id)
    .where('email', '=', recipient);
}
