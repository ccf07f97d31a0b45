import { z } from 'zod';
import { idOf, orNull, text, tick } from '#app/platform/input-fields.ts';
import { fromWallClock } from '#app/platform/wall-clock.ts';
import { readVariantB, testPercents } from './subject-test.ts';
import { newsletterAdminMessages } from './newsletter-admin-messages.ts';

/** bytes; Gmail truncates emails at 102 KB, including our layout */
export const mostNewsletterBytes = 60 * 1024;

const content = text(4 * mostNewsletterBytes).pipe(
  z.string().min(1, newsletterAdminMessages.contentEmpty),
);

/** Parses a date to the beginning of that day in the site's time zone. */
const day = (timeZone: string) =>
  z.string().transform((typed, context) => {
    const moment = fromWallClock(`${typed.trim()}T00:00`, timeZone);
    if (moment && moment.getUTCFullYear() >= 1990 && moment.getUTCFullYear() <= 2100) return moment;
    context.addIssue({ code: 'custom', message: 'Must be a date' });
    return z.NEVER;
  });

const line = text(150).transform((typed) => typed.replace(/\s+/g, ' '));

/** Parses a newsletter from its form. */
export const newsletterInput = (timeZone: string) =>
  z
    .object({
      subject: line.pipe(z.string().min(1, 'Subject is required')).prefault(''),
      preview: line.prefault(''),
      content: content.prefault(''),
      audience_since: orNull(day(timeZone)),
      audience_confirmed: tick,
      // Requests from older forms lack the following fields, which default to the first list,
      // everybody, and no test.
      list_id: idOf(newsletterAdminMessages.noSuchList).optional(),
      audience_category_id: orNull(idOf('Choose a category')).optional(),
      audience_merchant_id: orNull(idOf('Choose a store')).optional(),
      subject_b: line.optional(),
      preview_b: line.optional(),
      test_percent: z.coerce
        .number()
        .refine((percent) => testPercents.some((one) => one === percent), 'Choose a share')
        .optional(),
      test_hours: orNull(z.coerce.number().int().min(1).max(72)).optional(),
    })
    .superRefine(({ subject, preview, subject_b = '', preview_b = '' }, context) => {
      const b = readVariantB({ subject, preview, subject_b, preview_b });
      if (b === null || b.subject !== subject || b.preview !== preview) return;
      const message = newsletterAdminMessages.sameVariant;
      context.addIssue({ code: 'custom', path: ['subject_b'], message });
    });

export type NewsletterInput = z.output<ReturnType<typeof newsletterInput>>;
