import { z } from 'zod';
import { orNull, text, tick } from '#app/platform/input-fields.ts';
import { fromWallClock } from '#app/platform/wall-clock.ts';
import { newsletterAdminMessages } from './newsletter-admin-messages.ts';

/** bytes; Gmail truncates emails at 102 KB, including our layout */
export const mostNewsletterBytes = 60 * 1024;

const content = text(4 * mostNewsletterBytes).pipe(
  z.string().min(1, newsletterAdminMessages.contentEmpty),
);

/** Parses a day as its beginning in the site's time zone. */
const day = (timeZone: string) =>
  z.string().transform((typed, context) => {
    const moment = fromWallClock(`${typed.trim()}T00:00`, timeZone);
    if (moment && moment.getUTCFullYear() >= 1990 && moment.getUTCFullYear() <= 2100) return moment;
    context.addIssue({ code: 'custom', message: 'Must be a date' });
    return z.NEVER;
  });

/** Parses a newsletter from its form. */
export const newsletterInput = (timeZone: string) =>
  z.object({
    subject: text(150)
      .transform((line) => line.replace(/\s+/g, ' '))
      .pipe(z.string().min(1, 'Subject is required'))
      .prefault(''),
    preview: text(150)
      .transform((line) => line.replace(/\s+/g, ' '))
      .prefault(''),
    content: content.prefault(''),
    audience_since: orNull(day(timeZone)),
    audience_confirmed: tick,
  });

export type NewsletterInput = z.output<ReturnType<typeof newsletterInput>>;
