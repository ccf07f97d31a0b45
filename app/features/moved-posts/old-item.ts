import { pathOfTyped } from '#app/features/catalog/redirect-rules.ts';
import { fromWallClock } from '#app/platform/wall-clock.ts';
import type { WxrItem } from './wxr-item.ts';

/** A picture in an old text. */
export interface ShownPicture {
  /** The https URL, as in the cleaned text. */
  address: string;
  /** Whether the old text used http. */
  isHttp: boolean;
  alt: string;
}

/** Properties of a post or page other than its title, URL and text. */
export interface ItemDetails {
  excerpt: string;
  tags: string[];
  author: string | null;
  picture: string | null;
  /** The pictures in the text. */
  pictures: ShownPicture[];
  /** The time of publication in ISO format, or null if there is none. */
  publishedAt: string | null;
  isPublished: boolean;
}

const statuses = new Set(['publish', 'future', 'draft', 'pending', 'private']);
const mostTags = 20;
const longestTag = 40;

/** Returns whether an item is published, or the reason why it is skipped. */
export function publicationOf({
  status,
  password,
}: WxrItem): { isPublished: boolean; note: string | null } | { skip: string } {
  if (!statuses.has(status)) {
    return {
      skip:
        status === 'trash'
          ? 'In the trash of the old site'
          : `Its status is “${status.slice(0, 40)}”`,
    };
  }
  const isOpen = (status === 'publish' || status === 'future') && password === '';
  const note =
    status === 'private'
      ? 'Private, so it becomes a draft'
      : status === 'pending'
        ? 'Waited for review, so it becomes a draft'
        : !isOpen && status !== 'draft'
          ? 'Protected by a password, so it becomes a draft'
          : null;
  return { isPublished: isOpen, note };
}

/** Returns the path of an old URL, or null if it has none, as in `/?p=12`. */
export function oldPathOf(link: string): string | null {
  const url = URL.parse(link);
  if (!url || /[?&](?:p|page_id)=/.test(url.search)) return null;
  const path = pathOfTyped(link);
  return path === '/' || path?.includes('*') ? null : path;
}

/**
 * Returns the time of publication. WordPress writes zeros for drafts, and some plugins omit the
 * time.
 */
export function publicationTime(
  { dateGmt, date, published }: WxrItem,
  timeZone: string,
): Date | null {
  const local = fromWallClock(date.replace(' ', 'T'), timeZone);
  const universal = fromWallClock(dateGmt.replace(' ', 'T'), 'UTC');
  const rss = published === '' ? null : new Date(published);
  const isUsable = (time: Date | null) =>
    time !== null && time.getUTCFullYear() >= 1990 && time.getUTCFullYear() <= 2100;
  return [universal, local, rss].find(isUsable) ?? null;
}

/** Returns the tags of a post: its tags, then its categories, since the blog has only tags. */
export function tagsOf({ tags, categories }: WxrItem): { tags: string[]; note: string | null } {
  const byName = new Map<string, string>();
  let left = 0;
  for (const name of [...tags, ...categories]) {
    const tag = name.replaceAll(',', ' ').replace(/\s+/g, ' ').trim();
    const key = tag.toLowerCase();
    if (key === '' || key === 'uncategorized' || byName.has(key)) continue;
    if (tag.length > longestTag || byName.size >= mostTags) left++;
    else byName.set(key, tag);
  }
  return {
    tags: [...byName.values()],
    note:
      left > 0
        ? `Left out ${left} tags: a post has at most ${mostTags}, of ${longestTag} characters`
        : null,
  };
}
