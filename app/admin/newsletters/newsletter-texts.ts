import type { Newsletter } from '#app/features/newsletter/managed-newsletter-queries.server.ts';
import { toWallClock } from '#app/platform/wall-clock.ts';

/** The labels of the fields, in the order of the form. */
export const newsletterLabels = {
  subject: 'Subject',
  preview: 'Preview line',
  content: 'Content',
  audience_since: 'Subscribed since',
  audience_confirmed: 'Confirmed subscribers only',
};

/** Returns a newsletter as the texts of its form, with days in the site's time zone. */
export function newsletterTexts(newsletter: Newsletter, timeZone: string): Record<string, string> {
  const { subject, preview, content, audience_since: since } = newsletter;
  return {
    subject,
    preview,
    content,
    audience_since: since ? toWallClock(since, timeZone).slice(0, 10) : '',
    audience_confirmed: newsletter.audience_confirmed ? 'on' : '',
  };
}
