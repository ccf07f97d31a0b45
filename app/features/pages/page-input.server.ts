import { z } from 'zod';
import { isSitePath } from '#app/features/catalog/live-paths.server.ts';
import { searchFields } from '#app/features/catalog/search-input.ts';
import { hasWord, orNull, text, tick } from '#app/platform/input-fields.ts';
import { checkMarkdown } from './check-markdown.server.ts';
import { reservedMessage } from './page-messages.ts';
import { siteTexts, type TextForm, type TextName } from './site-texts.ts';

/** maximum characters of a page's Markdown */
export const longestContent = 100_000;

const lines = (longest: number) =>
  text(longest).transform((typed) => typed.replace(/\r\n?/g, '\n'));

const markdown = (form: TextForm | null) =>
  lines(longestContent)
    .prefault('')
    .superRefine((typed, context) => {
      const problem = checkMarkdown(typed, form);
      if (problem) context.addIssue({ code: 'custom', message: problem });
    });

const words = {
  title: text(200).pipe(z.string().min(1, 'Title is required')).prefault(''),
  intro: lines(1_000)
    .transform((typed) =>
      typed
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
        .join(' '),
    )
    .prefault(''),
  ...searchFields,
};

/** maximum characters of a page's URL, without its first slash */
const longestPath = 200;

/** The schema of a page's URL as typed: one or more slugs with `/` between them. */
const pathText = z
  .string()
  .trim()
  .transform((typed) => typed.replace(/^\//, '').replace(/\/$/, ''))
  .pipe(
    z
      .string()
      .min(1, 'Slug is required')
      .max(longestPath, `Must be at most ${longestPath} characters`)
      .regex(
        /^[a-z0-9-]+(?:\/[a-z0-9-]+)*$/,
        'Slug must contain only lowercase letters, numbers, hyphens, and single slashes',
      )
      .refine(
        (path) => path.split('/').every(hasWord),
        'Slug must contain a letter or a number between slashes',
      ),
  );

/** Returns whether one of the owner's pages can have this URL. */
export function isFreePath(path: string): boolean {
  return pathText.safeParse(path).data === path && !isReservedSlug(path);
}

/** Returns whether the site itself uses this URL. */
export function isReservedSlug(slug: string): boolean {
  return isSitePath(`/${slug}`);
}

/** Parses the form of one of the owner's pages. */
export const pageInput = z.object({
  ...words,
  /** A blank slug is derived from the title of a new page, and otherwise unchanged. */
  slug: orNull(
    pathText.refine((slug) => !isReservedSlug(slug), {
      error: ({ input }) => reservedMessage(String(input)),
    }),
  ),
  content: markdown(null).refine((typed) => typed !== '', 'Content is required'),
  is_visible: tick,
});

/** Parses the form for a replacement of one of the site's texts. */
export const textInput = (name: TextName) =>
  z.object({ ...words, content: markdown(siteTexts[name].form) });

export type PageInput = Omit<z.output<typeof pageInput>, 'slug'> & { slug: string };
