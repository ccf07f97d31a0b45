import { z } from 'zod';
import { accountMessages } from './account-messages.ts';
import { readText } from '#app/platform/read-text.ts';

const longestTyped = 1000; // characters; a longer new password gets a message of its own

/** Addresses are stored and looked up in lower case. */
const email = z
  .string()
  .trim()
  .min(1, accountMessages.emailRequired)
  .max(254, accountMessages.emailInvalid)
  .pipe(z.email(accountMessages.emailInvalid))
  .transform((value) => value.toLowerCase());

const password = z.string().min(1, accountMessages.passwordRequired).max(longestTyped);

/**
 * Invisible characters, and those that reverse the reading direction, make two names look alike.
 * Joiners used in Persian or emoji may appear in a name, but not alone.
 */
const unseen =
  /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}<>\u2800]|(?!\u200C|\u200D|\uFE0E|\uFE0F)\p{DI}/u;
const seen = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Creates the schema for a name of a person or a thing. `missing` and `tooLong` are error messages.
 */
export const nameOfAtMost = (most: number, missing: string, tooLong: string) =>
  z
    .string()
    .transform((value) => value.normalize('NFC').trim())
    .pipe(
      z
        .string()
        .min(1, missing)
        .max(most, tooLong)
        .refine((name) => !unseen.test(name) && seen.test(name), accountMessages.nameInvalid),
    );

const fullName = nameOfAtMost(100, accountMessages.nameRequired, accountMessages.nameTooLong);

/** The schemas list the fields that each form may send. Other fields are ignored. */
export const signInInput = z.object({ email, password });
export const signUpInput = z.object({ full_name: fullName, email, password });
export const emailInput = z.object({ email });
export const resetInput = z.object({ token: z.string().max(100), password });
export const nameInput = z.object({ full_name: fullName });
export const joinInput = z.object({ full_name: fullName, password });
export const changePasswordInput = z.object({ current_password: password, password });
export const passwordInput = z.object({ password });

export type FieldErrors = Record<string, string>;

/** Returns the first error of each field. Values other than text are treated as empty. */
export function readForm<Schema extends z.ZodObject>(
  schema: Schema,
  form: FormData,
): { ok: true; value: z.output<Schema> } | { ok: false; errors: FieldErrors } {
  const typed = Object.keys(schema.shape).map((name) => [name, readText(form, name)]);
  const parsed = schema.safeParse(Object.fromEntries(typed));
  if (parsed.success) return { ok: true, value: parsed.data };
  const errors: FieldErrors = {};
  for (const issue of parsed.error.issues) errors[String(issue.path[0])] ??= issue.message;
  return { ok: false, errors };
}
