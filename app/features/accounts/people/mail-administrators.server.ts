import { type NewMail, queueMail } from '#app/platform/mail/queue-mail.server.ts';
import type { Tx } from '#database/connect.ts';
import { staffRoles } from './user-table.ts';

/**
 * Queues an email to each administrator with a verified address, except suspended ones. Each
 * email's key is `key` followed by the administrator's id.
 */
export async function mailAdministrators(
  tx: Tx,
  { key, kind, props }: Pick<NewMail, 'key' | 'kind' | 'props'>,
): Promise<void> {
  const administrators = await tx
    .selectFrom('users')
    .select(['id', 'email'])
    .where('role', 'in', staffRoles)
    .where('email_verified', '=', true)
    .where('suspended_at', 'is', null)
    .execute();
  for (const { id, email } of administrators) {
    await queueMail(tx, { key: `${key}:${id}`, kind, to: email, userId: id, props });
  }
}
