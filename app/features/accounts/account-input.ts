import { z } from 'zod';
import { accountMessages } from './account-messages.ts';
import { readText } from '#app/platform/read-text.ts';

const longestTyped = 1000; // a password that long is answered by its own message

/** Lower case, because that is how addresses are kept and found. */
const email = z
  .string()
  .trim()
  .min(1, accountMessages.emailRequired)
  .max(254, accountMessages.emailInvalid)
  .pipe(z.email(accountMessages.emailInvalid))
  .transform((value) => value.toLowerCase());

const password = z.string().min(1, accountMessages.passwordRequired).max(longestTyped);

const fullName = z
  .string()
  .transform((value) => value.normalize('NFC').trim())
  .pipe(
    z
      .string()
      .min(1, accountMessages.nameRequired)
      .max(100, accountMessages.nameTooLong)
      .regex(/^[^\p{Cc}\p{Cs}<>]*$/u, accountMessages.nameInvalid),
  );

/** The fields each form may send; anything else in its body is not read (R04). */
export const signInInput = z.object({ email, password });
export const signUpInput = z.object({ full_name: fullName, email, password });
export const emailInput = z.object({ email });
export const resetInput = z.object({ token: z.string().max(100), password });
export const nameInput = z.object({ full_name: fullName });
export const changePasswordInput = z.object({ current_password: password, password });
export const passwordInput = z.object({ password });

export type FieldErrors = Record<string, string>;

export type ReadForm<Value> = { ok: true; value: Value } | { ok: false; errors: FieldErrors };

/** The first error of each field. What is no text counts as empty. */
export function readForm<Schema extends z.ZodObject>(
  schema: Schema,
  form: FormData,
): ReadForm<z.output<Schema>> {
  const typed: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) typed[name] = readText(form, name);
  const parsed = schema.safeParse(typed);
  if (parsed.success) return { ok: true, value: parsed.data };
  const errors: FieldErrors = {};
  for (const issue of parsed.error.issues) errors[String(issue.path[0])] ??= issue.message;
  return { ok: false, errors };
}
