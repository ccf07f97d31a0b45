import { z } from 'zod';
import { readMailAddress } from '#app/platform/mail/mail-address.server.ts';
import { contactLimits } from './contact-limits.ts';
import { inboxMessages } from './inbox-messages.ts';
import { contactMessages as words } from './contact-messages.ts';

/**
 * Creates the schema of a single line for an email header, without line breaks and other control
 * characters.
 */
const line = (longest: number, required: string, tooLong: string) =>
  z
    .string()
    .transform((text) => text.normalize('NFC').trim())
    .pipe(
      z
        .string()
        .min(1, required)
        .max(longest, tooLong)
        .regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, words.oneLine),
    );

const email = z
  .string()
  .trim()
  .min(1, words.emailRequired)
  .transform((text, context) => {
    const address = readMailAddress(text);
    if (address !== null) return address;
    context.addIssue({ code: 'custom', message: words.emailInvalid });
    return z.NEVER;
  });

/**
 * Creates the schema of a long text. Line breaks are normalized, and other control characters
 * removed.
 */
const longText = (longest: number, required: string, tooLong: string) =>
  z
    .string()
    .transform((text) =>
      text
        .toWellFormed()
        .normalize('NFC')
        .replace(/\r\n?/g, '\n')
        .replace(/(?![\n\t])\p{Cc}/gu, '')
        .trim(),
    )
    .pipe(z.string().min(1, required).max(longest, tooLong));

export const contactInput = z.object({
  name: line(contactLimits.name, words.nameRequired, words.nameTooLong),
  email,
  subject: line(contactLimits.subject, words.subjectRequired, words.subjectTooLong),
  message: longText(contactLimits.message, words.messageRequired, words.messageTooLong),
});

export const answerInput = z.object({
  answer: longText(contactLimits.answer, inboxMessages.answerRequired, inboxMessages.answerTooLong),
  /** An id created with the form, so that an answer that is posted twice is stored once. */
  op: z.string().regex(/^[\w-]{8,64}$/),
});

export type ContactInput = z.output<typeof contactInput>;
