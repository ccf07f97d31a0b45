import { z } from 'zod';
import { nameOfAtMost } from '../account-input.ts';
import { accountMessages } from '../account-messages.ts';

const bytes = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\w-]+$/);

const anyAnswer = { id: bytes(1400).min(16), type: z.literal('public-key') };

/** The parts of a `RegistrationResponseJSON` that are read when a passkey is added. */
export const newPasskeyAnswer = z.object({
  ...anyAnswer,
  response: z.object({ clientDataJSON: bytes(8192), attestationObject: bytes(16_384) }),
});

/** The parts of an `AuthenticationResponseJSON` that are read when a passkey is used. */
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

/** Parses a passkey response in a form field. Returns `null` if it is malformed. */
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
