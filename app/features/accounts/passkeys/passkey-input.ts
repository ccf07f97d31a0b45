import { z } from 'zod';
import { accountMessages } from '../account-messages.ts';

const bytes = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\w-]+$/);

/** What the browser answers for a new passkey: `RegistrationResponseJSON`, as far as it is read. Every browser that knows passkeys has these. */
export const newPasskeyAnswer = z.object({
  id: bytes(1400).min(16),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes(8192),
    attestationObject: bytes(16_384),
  }),
});

/** What it answers when one is used: `AuthenticationResponseJSON`. */
export const passkeyAnswer = z.object({
  id: bytes(1400).min(16),
  type: z.literal('public-key'),
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
  name: z
    .string()
    .transform((value) => value.normalize('NFC').trim())
    .pipe(
      z
        .string()
        .min(1, accountMessages.passkeyNameRequired)
        .max(60, accountMessages.passkeyNameTooLong)
        .regex(/^[^\p{Cc}\p{Cs}<>]*$/u, accountMessages.nameInvalid),
    ),
});

/** An answer as it stands in a form field; null when it is none. */
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
