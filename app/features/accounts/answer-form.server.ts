import { data } from 'react-router';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { verifyCaptcha } from '#app/platform/captcha/verify-captcha.server.ts';
import { retryAfter } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';
import { readText } from '#app/platform/read-text.ts';
import { describeIdentityRefusal, type IdentityCheck } from './confirm-identity.server.ts';
import type { FormAnswer } from './form-answer.ts';

/** Returns the form with its errors and input. */
export function refuseForm(
  form: FormData,
  { errors, message, question }: Pick<FormAnswer, 'errors' | 'message' | 'question'>,
  status = 422,
  headers: HeadersInit = {},
) {
  const kept = ['email', 'full_name', 'name'].filter((name) => form.has(name));
  const values = kept.map((name) => [name, readText(form, name).slice(0, 254)]);
  return data<FormAnswer>(
    { ok: false, values: Object.fromEntries(values), errors, message, question },
    { status, headers },
  );
}

export function refuseTooMany(form: FormData, limited: { retryAfterSeconds: number }) {
  return refuseForm(form, { message: tooManyAttempts }, 429, retryAfter(limited));
}

/** Explains a failed identity check at the field, or for the whole form if the user must wait. */
export function refuseIdentity(
  form: FormData,
  refused: Exclude<IdentityCheck, { ok: true }>,
  field = 'password',
) {
  return refused.reason === 'too-many'
    ? refuseTooMany(form, refused)
    : refuseForm(form, { errors: { [field]: describeIdentityRefusal(refused.reason) } });
}

/** Returns a success. `values` are shown in place of the form, such as the address of an email. */
export function acceptForm(message: string, cookies: string[] = [], values?: FormAnswer['values']) {
  return data<FormAnswer>({ ok: true, message, values }, { headers: cookieHeaders(cookies) });
}

export function cookieHeaders(cookies: string[]): Headers {
  return new Headers(cookies.map((cookie): [string, string] => ['set-cookie', cookie]));
}

/** Returns `null` if a person sent the form, and the refusal otherwise. */
export async function refuseBots(services: AppServices, form: FormData, address: string) {
  const checked = await verifyCaptcha(services, form, address);
  return checked.ok ? null : refuseForm(form, checked);
}
