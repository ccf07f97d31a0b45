import type { AppServices } from '#app/platform/app-context.server.ts';
import { limit } from '#app/platform/rate-limit.server.ts';

type Services = Pick<AppServices, 'db' | 'env' | 'log'>;

/** The limits on mails about accounts. Past them the answer stays the same and nothing is sent. */
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
