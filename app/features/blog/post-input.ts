import { z } from 'zod';
import { orNull, pictureUrl, slugText, text, tick } from '#app/platform/input-fields.ts';
import { fromWallClock } from '#app/platform/wall-clock.ts';
import { searchFields } from '#app/features/catalog/search-input.ts';
import { postMessages } from './post-messages.ts';

/** bytes of the posted HTML; sanitized HTML may have 200 KB */
const mostSentBytes = 256 * 1024;
const mostTags = 20;
const longestTag = 40;
export const defaultReadTime = 5;

const sentHtml = z
  .string()
  .refine((html) => new TextEncoder().encode(html).length <= mostSentBytes, {
    message: postMessages.contentTooLong,
    abort: true,
  })
  .pipe(text(mostSentBytes))
  .pipe(z.string().min(1, postMessages.contentEmpty));

/** Tags are split at commas and trimmed. Empty and repeated ones are dropped. */
const tags = text(2_000).transform((line, context) => {
  const byName = new Map<string, string>();
  for (const tag of line.split(',').map((part) => part.trim().replace(/\s+/g, ' '))) {
    if (tag !== '' && !byName.has(tag.toLowerCase())) byName.set(tag.toLowerCase(), tag);
  }
  const found = [...byName.values()];
  const problem = found.some((tag) => tag.length > longestTag)
    ? `A tag has at most ${longestTag} characters`
    : found.length > mostTags && `At most ${mostTags} tags`;
  if (problem) context.addIssue({ code: 'custom', message: problem });
  return found;
});

const minutes = z
  .string()
  .trim()
  .transform((value) => Number(value || defaultReadTime))
  .pipe(
    z
      .int('Must be a whole number from 1 to 60')
      .min(1, 'Must be a whole number from 1 to 60')
      .max(60, 'Must be a whole number from 1 to 60'),
  );

const moment = (timeZone: string) =>
  z.string().transform((value, context) => {
    const time = fromWallClock(value.trim(), timeZone);
    if (time && time.getUTCFullYear() >= 1990 && time.getUTCFullYear() <= 2100) return time;
    context.addIssue({ code: 'custom', message: 'Must be a date and time' });
    return z.NEVER;
  });

/** Parses a post from its form, with times in the site's time zone. Unticked boxes are absent. */
export const postInput = (timeZone: string) =>
  postFields(timeZone).refine(
    ({ is_published, featured_image_url }) => !is_published || featured_image_url !== null,
    {
      path: ['featured_image_url'],
      message: postMessages.pictureMissing,
      // Shows this message together with those of other fields.
      when: () => true,
    },
  );

const postFields = (timeZone: string) =>
  z.object({
    title: text(200).pipe(z.string().min(1, 'Title is required')).prefault(''),
    /** A blank slug is derived from the title, or stays unchanged. */
    slug: orNull(slugText),
    excerpt: text(500).pipe(z.string().min(1, 'Excerpt is required')).prefault(''),
    content: sentHtml.prefault(''),
    is_published: tick,
    is_featured: tick,
    published_at: orNull(moment(timeZone)),
    /** A blank author is the team's name. */
    author: orNull(text(100)),
    read_time: minutes.prefault(''),
    /** Optional for a draft. */
    featured_image_url: orNull(pictureUrl),
    tags: tags.prefault(''),
    ...searchFields,
  });

export type PostInput = z.output<ReturnType<typeof postInput>>;
