import { z } from 'zod';
import { apiKeyRights } from '#database/schema/program-tables.ts';

/** What staff enter for a key. */
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
      .regex(/^(?:|[1-9]\d{0,4}|100000)$/, 'Enter a whole number from 1 to 100,000, or nothing.')
      .transform((text) => (text === '' ? null : Number(text))),
    rights: z
      .array(z.enum(apiKeyRights, 'Choose what the key may do.'))
      .min(1, 'Choose what the key may do.')
      .transform((chosen) => apiKeyRights.filter((right) => chosen.includes(right))),
  })
  .refine((key) => key.per_minute === null || key.rights.includes('limits'), {
    path: ['per_minute'],
    error: 'Tick “Higher limits” as well, or leave this empty.',
  });

export const notYoursToGive = 'You can only give what you may do yourself.';

export const tooManyKeys = 'There are 100 keys already. Revoke one that is no longer needed.';
