import { askByMail, type AskedByMail } from '#app/features/price-alerts/ask-by-mail.server.ts';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { readMailAddress } from '#app/platform/mail/mail-address.server.ts';
import { requestAddress, type Watchable } from './watchable.ts';
import type { Cadence } from './watch-cadence.ts';

/** Stores a search that an address without an account wants to watch. */
export async function askToWatch(
  services: AppServices,
  sent: { form: FormData; address: string },
  watchable: Watchable,
  cadence: Cadence,
): Promise<AskedByMail> {
  const email = readMailAddress(sent.form.get('email'));
  if (email === null) return { ok: false, status: 422, message: alertMessages.badAddress };
  const search_address = requestAddress(watchable);
  const wish = { email, search_address, search_name: watchable.name, cadence };
  return askByMail(services, sent, wish, 'search-confirm');
}
