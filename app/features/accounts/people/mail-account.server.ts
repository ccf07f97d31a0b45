import type { AppServices } from '#app/platform/app-context.server.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';
import type { Tx } from '#database/connect.ts';
import { newToken } from '../hash-token.server.ts';

type Services = Pick<AppServices, 'db' | 'env' | 'log'>;

/**
 * Checks the limits on account emails. Beyond these limits no email is sent, and the response is
 * the same.
 */
export async function mayMail(
  services: Services,
  email: string,
  address: string,
): Promise<boolean> {
  const byAddress = await limit(services, 'account-mail-address', address);
  const byRecipient = byAddress.ok && (await limit(services, 'account-mail-recipient', email)).ok;
  if (!byRecipient) services.log.warn({ event: 'rate-limit', of: 'account-mail' }, 'mail withheld');
  return byRecipient;
}

/** Queues an email about an account, under a new key each time. */
export async function mailAccount(
  tx: Tx,
  kind: string,
  { id, email }: { id?: string; email: string },
  props: Record<string, unknown> = {},
): Promise<void> {
  await queueMail(tx, { key: `${kind}:${newToken()}`, kind, to: email, userId: id, props });
}
