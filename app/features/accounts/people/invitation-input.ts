import { z } from 'zod';
import { staffRoles } from './user-table.ts';
import { emailInput } from '../account-input.ts';
import { invitationMessages as words } from './invitation-messages.ts';

export const longestWords = 500;

/** The fields of an invitation. The message is one line of plain text. */
export const invitationInput = emailInput.extend({
  role: z.enum(staffRoles, words.roleRequired),
  words: z
    .string()
    .transform((text) =>
      text
        .normalize('NFC')
        .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
        .trim(),
    )
    .pipe(z.string().max(longestWords, words.wordsTooLong)),
});
