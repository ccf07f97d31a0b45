import { data } from 'react-router';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import { askToWatch, type Wish } from '#app/features/watched-searches/ask-to-watch.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { retryAfter } from '#app/platform/rate-limit.server.ts';
import { readText } from '#app/platform/read-text.ts';

/**
 * Handles the form of a signed-out visitor. `typed` is returned with a rejection, so that the
 * visitor need not retype it.
 */
export async function answerGuest<Typed extends object>(
  services: AppServices,
  sent: { form: FormData; address: string },
  wish: Wish,
  typed: Typed,
) {
  const email = emailOf(sent.form);
  const outcome = await askToWatch(services, sent, wish);
  if (outcome.ok) return data({ ok: true, message: alertMessages.asked, email });
  const { status, message } = outcome;
  const question = status === 422 ? (outcome.question ?? null) : null;
  const headers = status === 429 ? retryAfter(outcome) : {};
  return data({ ok: false, message, email, question, ...typed }, { status, headers });
}

/** Returns a form's email address, cut to the maximum length. */
export const emailOf = (form: FormData) => readText(form, 'email').slice(0, 254);
