/** A published post as lists show it. */
export interface PostSummary {
  id: number;
  slug: string;
  title: string;
  excerpt: string;
  featured_image_url: string | null;
  author: string;
  /** Minutes, the post's own (P34). */
  read_time: number;
  tags: string[];
  /** When it was published, else when it was written. */
  shown_at: Date;
}

/** `November 3, 2026` in the site's time zone. */
export function formatPostDate(shownAt: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(shownAt);
}
