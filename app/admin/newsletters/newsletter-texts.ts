import type { Newsletter } from '#app/features/newsletter/managed-newsletter-queries.server.ts';
import { toWallClock } from '#app/platform/wall-clock.ts';

/** The labels of the fields, in the order of the form. */
export const newsletterLabels = {
  subject: 'Subject',
  preview: 'Preview line',
  content: 'Content',
  list_id: 'List',
  audience_category_id: 'Followers of a category',
  audience_merchant_id: 'Followers of a store',
  subject_b: 'Second subject',
  preview_b: 'Second preview line',
  test_percent: 'Each subject goes to',
  test_hours: 'Send the rest',
  audience_since: 'Subscribed since',
  audience_confirmed: 'Confirmed subscribers only',
};

/** Returns a newsletter's form values as text, with days in the site's time zone. */
export function newsletterTexts(newsletter: Newsletter, timeZone: string): Record<string, string> {
  const { subject, preview, content, audience_since: since } = newsletter;
  return {
    subject,
    preview,
    content,
    audience_since: since ? toWallClock(since, timeZone).slice(0, 10) : '',
    audience_confirmed: newsletter.audience_confirmed ? 'on' : '',
    list_id: String(newsletter.list_id),
    audience_category_id: String(newsletter.audience_category_id ?? ''),
    audience_merchant_id: String(newsletter.audience_merchant_id ?? ''),
    subject_b: newsletter.subject_b,
    preview_b: newsletter.preview_b,
    test_percent: String(newsletter.test_percent),
    test_hours: String(newsletter.test_hours ?? ''),
  };
}
