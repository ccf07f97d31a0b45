import { z } from 'zod';
import { apiKeyRights } from '#database/schema/program-tables.ts';

/** The fields of the form for a key. */
export const apiKeyInput = z
  .object({
    name: z
      .string()
      .transform((text) =>
        text
          .normalize('NFC')
          .replace(/\p{Cc}/gu, ' ')
          .trim(),
      )
      .pipe(z.string().min(1, 'Enter a name.').max(80, 'At most 80 characters.')),
    per_minute: z
      .string()
      .trim()
      .regex(
        /^(?:|[1-9]\d{0,4}|100000)$/,
        'Enter a whole number from 1 to 100,000, or leave it blank.',
      )
      .transform((text) => (text === '' ? null : Number(text))),
    rights: z
      .array(z.enum(apiKeyRights, 'Choose at least one permission.'))
      .min(1, 'Choose at least one permission.')
      .transform((chosen) => apiKeyRights.filter((right) => chosen.includes(right))),
  })
  .refine((key) => key.per_minute === null || key.rights.includes('limits'), {
    path: ['per_minute'],
    error: 'Tick “Higher limits” as well, or leave this blank.',
  });

export const notYoursToGive = 'You can only grant rights that you have yourself.';

export const tooManyKeys = 'There are 100 keys already. Revoke one that is no longer needed.';
