import { data } from 'react-router';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { verifyCaptcha } from '#app/platform/captcha/verify-captcha.server.ts';
import { retryAfter } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';
import { readText } from '#app/platform/read-text.ts';
import type { FieldErrors } from './account-input.ts';
import { describeIdentityRefusal, type IdentityCheck } from './confirm-identity.server.ts';
import type { FormAnswer } from './form-answer.ts';

const keptFields = ['email', 'full_name'] as const;

/** The form again, with what is wrong at its fields and what was typed kept. */
export function refuseForm(
  form: FormData,
  { errors, message }: { errors?: FieldErrors; message?: string },
  status = 422,
) {
  return data<FormAnswer>(
    { ok: false, values: keptValues(form), ...(errors && { errors }), ...(message && { message }) },
    { status },
  );
}

export function refuseTooMany(form: FormData, limited: { retryAfterSeconds: number }) {
  return data<FormAnswer>(
    { ok: false, message: tooManyAttempts, values: keptValues(form) },
    { status: 429, headers: retryAfter(limited) },
  );
}

/** Why nobody believes that it is them who sits there: at the field, or for the whole form when they must wait. */
export function refuseIdentity(
  form: FormData,
  refused: Exclude<IdentityCheck, { ok: true }>,
  field = 'password',
) {
  return refused.reason === 'too-many'
    ? refuseTooMany(form, refused)
    : refuseForm(form, { errors: { [field]: describeIdentityRefusal(refused.reason) } });
}

export function acceptForm(message: string, cookies: string[] = []) {
  return data<FormAnswer>({ ok: true, message }, { headers: cookieHeaders(cookies) });
}

export function cookieHeaders(cookies: string[]): Headers {
  const headers = new Headers();
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return headers;
}

/** Null when a person sent the form; else what to answer (R27). */
export async function refuseMachines(services: AppServices, form: FormData, address: string) {
  const checked = await verifyCaptcha(services, form, address);
  if (checked.ok) return null;
  return data<FormAnswer>(
    {
      ok: false,
      message: checked.message,
      values: keptValues(form),
      ...(checked.question && { question: checked.question }),
    },
    { status: 422 },
  );
}

function keptValues(form: FormData): Record<string, string> {
  return Object.fromEntries(
    keptFields
      .filter((name) => form.has(name))
      .map((name) => [name, readText(form, name).slice(0, 254)]),
  );
}
