import { z } from 'zod';
import { parseMoney, twoWaysToRead } from '#app/platform/money.ts';
import { pictureAddress, safeUrl } from '#app/platform/safe-url.ts';

// Schemas for the fields of forms. The schemas take text and return normalized text, minor units,
// numbers and dates.

const control = /(?![\t\n\r])\p{Cc}/gu;
/** Creates the schema of a text: normalized (NFC), without control characters, trimmed. */
export const text = (longest: number) =>
  z
    .string()
    .transform((value) => value.toWellFormed().normalize('NFC').replace(control, '').trim())
    .pipe(z.string().max(longest, `Must be at most ${longest} characters`));
/** Creates a schema that parses with `read`, and fails with the message if that returns null. */
export const readAs = <Value>(
  read: (typed: string) => Value | null,
  message: (typed: string) => string,
) =>
  z.string().transform((typed, context): Value => {
    const value = read(typed);
    if (value !== null) return value;
    context.addIssue({ code: 'custom', message: message(typed) });
    return z.NEVER;
  });
/** The schema of an http(s) address, in its stored form. */
export const url = readAs(safeUrl, () => 'Must be a valid URL');
/**
 * The schema of a picture's address: one of our own, `/media/…`, or any other over https
 * (`checkPictureUrl`).
 */
export const pictureUrl = readAs(pictureAddress, (typed) =>
  safeUrl(typed) === null
    ? 'Must be a valid URL'
    : "Must begin with https://, or browsers won't show the picture",
);
/** Creates a schema for which an empty or absent value is null. */
export const orNull = <T extends z.ZodType>(schema: T) =>
  z.preprocess(
    (value = null) => (typeof value === 'string' && value.trim() === '' ? null : value),
    schema.nullable(),
  );
/** Creates the schema of a price above 0 as people write it, in minor units of the currency. */
export const price = (currency: string) =>
  readAs(
    (typed) => parseMoney(typed, currency) || null,
    (typed) => twoWaysToRead(typed, currency) ?? 'Must be a price greater than 0',
  );
/** Creates the schema of an amount of 0 or more, in minor units of the currency. */
export const amount = (currency: string) =>
  readAs(
    (typed) => parseMoney(typed, currency),
    (typed) => twoWaysToRead(typed, currency) ?? 'Must be an amount of 0 or more',
  );
/** Creates the schema of a row number, with the `message` for other values. */
export const idOf = (message: string) =>
  z.coerce.number(message).int(message).positive(message).max(Number.MAX_SAFE_INTEGER, message);

/** The schema of a checkbox, which sends something if checked and nothing otherwise. */
export const tick = z
  .string()
  .default('')
  .transform((value) => value !== '');

/** Returns whether a text has a letter or digit of any script, from which a slug can be made. */
export function hasWord(typed: string): boolean {
  return /[\p{L}\p{N}]/u.test(typed);
}

/** The schema of a slug as an administrator writes it. */
export const slugText = z
  .string()
  .trim()
  .min(1, 'Slug is required')
  .max(100, 'Must be at most 100 characters')
  .regex(/^[a-z0-9-]+$/, 'Slug must contain only lowercase letters, numbers, and hyphens')
  .refine(hasWord, 'Slug must contain a letter or a number');

/**
 * Returns the first message of each field. Our own forms never omit a field, but other clients may.
 */
export function fieldErrors(error: z.ZodError): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, code, message } of error.issues) {
    const isMissing = code === 'invalid_type' && message.endsWith('received undefined');
    errors[String(path[0])] ??= isMissing ? 'This field is required' : message;
  }
  return errors;
}
