import { z } from 'zod';
import { emailInput } from '../account-input.ts';
import { invitationMessages as words } from './invitation-messages.ts';
import { parseRole } from './role-choice.ts';

export const longestWords = 500;

/** The fields of an invitation. The message is one line of plain text. */
export const invitationInput = emailInput.extend({
  role: z.string().transform((value, { addIssue }) => {
    const choice = parseRole(value);
    if (choice?.role === 'admin' || choice?.role === 'super_admin') {
      return { role: choice.role, rightSet: choice.rightSet };
    }
    addIssue(words.roleRequired);
    return z.NEVER;
  }),
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
