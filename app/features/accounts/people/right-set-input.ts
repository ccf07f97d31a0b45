import { z } from 'zod';
import { rightSetMessages as words } from './right-set-messages.ts';

export const longestSetName = 60;

/** The name of a set. Its rights are the ticked boxes of the form. */
export const rightSetInput = z.object({
  name: z
    .string()
    .transform((text) =>
      text
        .normalize('NFC')
        .replace(/[\p{C}\s]+/gu, ' ')
        .trim(),
    )
    .pipe(z.string().min(1, words.nameRequired).max(longestSetName, words.nameTooLong)),
});
