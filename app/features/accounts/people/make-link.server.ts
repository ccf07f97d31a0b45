import type { OutboxMail } from '#app/platform/mail/mail-kind.server.ts';
import type { Db } from '#database/connect.ts';
import { keepOnce } from '../one-time-values.server.ts';

export type LinkPage = 'verify-email' | 'reset-password';

/** The path of a link that acts for an account, good for `validForMs` and once. */
export async function makeLink(
  db: Db,
  page: LinkPage,
  { userId, validForMs }: { userId: string; validForMs: number },
): Promise<string> {
  return `/${page}?token=${await keepOnce(db, page, userId, { validForMs })}`;
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
