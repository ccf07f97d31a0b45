import type { AppServices } from '#app/platform/app-context.server.ts';
import { readMailAddress } from '#app/platform/mail/mail-address.server.ts';
import type { AlertRule } from './alert-kind.ts';
import { alertMessages } from './alert-messages.ts';
import { askByMail, type AskedByMail } from './ask-by-mail.server.ts';
import { type AlertRefusal, readRule } from './create-alert.server.ts';

/** The outcome of a request. `rule` is the input, unless it is the error. */
export type AskOutcome =
  | (AskedByMail & { rule?: AlertRule })
  | (AlertRefusal & { question?: undefined; rule?: undefined });

/** Stores an alert that an address without an account asks for. */
export async function askForAlert(
  services: AppServices,
  {
    form,
    dealId,
    currency,
    address,
  }: { form: FormData; dealId: number; currency: string; address: string },
): Promise<AskOutcome> {
  const email = readMailAddress(form.get('email'));
  if (email === null) return { ok: false, status: 422, message: alertMessages.badAddress };
  const read = await readRule(services.db, dealId, form, currency);
  if (!read.ok) return read;
  const { rule } = read;
  const wish = { email, deal_id: dealId, ...rule };
  const asked = await askByMail(services, { form, address }, wish, 'price-alert-confirm');
  return asked.ok ? asked : { ...asked, rule };
}
