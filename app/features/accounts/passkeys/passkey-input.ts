import { z } from 'zod';
import { nameOfAtMost } from '../account-input.ts';
import { accountMessages } from '../account-messages.ts';

const bytes = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\w-]+$/);

const anyAnswer = { id: bytes(1400).min(16), type: z.literal('public-key') };

/**
 * A browser's response for a new passkey: the parts of `RegistrationResponseJSON` that are read.
 */
export const newPasskeyAnswer = z.object({
  ...anyAnswer,
  response: z.object({ clientDataJSON: bytes(8192), attestationObject: bytes(16_384) }),
});

/** A browser's response when one is used: `AuthenticationResponseJSON`. */
export const passkeyAnswer = z.object({
  ...anyAnswer,
  response: z.object({
    clientDataJSON: bytes(8192),
    authenticatorData: bytes(8192),
    signature: bytes(4096),
    userHandle: bytes(200),
  }),
});

export type NewPasskeyAnswer = z.output<typeof newPasskeyAnswer>;
export type PasskeyAnswer = z.output<typeof passkeyAnswer>;

export const passkeyNameInput = z.object({
  name: nameOfAtMost(60, accountMessages.passkeyNameRequired, accountMessages.passkeyNameTooLong),
});

/** Parses a response from a form field; `null` if malformed. */
export function readAnswer<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): z.output<Schema> | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
