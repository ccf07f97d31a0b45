import type { Newsletter } from '#app/features/newsletter/letter-queries.server.ts';
import { toWallClock } from '#app/platform/wall-clock.ts';

/** The fields' names for people, in the order of the form. */
export const letterLabels = {
  subject: 'Subject',
  preview: 'Preview line',
  content: 'Content',
  audience_since: 'Only who subscribed since',
  audience_confirmed: 'Only who confirmed by mail',
};

/** A newsletter as the texts of its form, with days on the clock of the site. */
export function letterTexts(newsletter: Newsletter, timeZone: string): Record<string, string> {
  const { subject, preview, content, audience_since: since } = newsletter;
  return {
    subject,
    preview,
    content,
    audience_since: since ? toWallClock(since, timeZone).slice(0, 10) : '',
    audience_confirmed: newsletter.audience_confirmed ? 'on' : '',
  };
}
