import { data } from 'react-router';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import { askForAlert } from '#app/features/price-alerts/ask-for-alert.server.ts';
import type { GuestAlertAnswer } from '#app/features/price-alerts/guest-alert-form.tsx';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { retryAfter } from '#app/platform/rate-limit.server.ts';
import { readText } from '#app/platform/read-text.ts';

/** Handles the form of a signed-out visitor. */
export async function answerGuest(services: AppServices, form: FormData, address: string) {
  const dealId = parseRowId(form.get('deal_id'));
  const email = readText(form, 'email').slice(0, 254);
  const answer = (body: GuestAlertAnswer, status: number, headers = {}) =>
    data(body, { status, headers });
  if (dealId === null)
    return answer({ ok: false, message: alertMessages.createFailed, email }, 422);
  const { currency } = await readSiteSettings(services.db);
  const outcome = await askForAlert(services, { form, dealId, currency, address });
  if (outcome.ok) return answer({ ok: true, message: alertMessages.asked, email }, 200);
  if (outcome.status === 429) {
    return answer({ ok: false, message: outcome.message, email }, 429, retryAfter(outcome));
  }
  const { message, question = null, rule } = outcome;
  return answer({ ok: false, message, email, question, rule }, outcome.status);
}
