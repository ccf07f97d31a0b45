import { createHash } from 'node:crypto';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';

/** Increase this number if the drawing changes, because caches keep a URL for an hour. */
const version = 3;
/** pixels; the size that link previews of most services show whole */
export const shareSize = { width: 1200, height: 630 } as const;

export type ShareKind = 'deal' | 'product' | 'category' | 'merchant' | 'post';

/** The contents of a share picture, from top to bottom. An empty text is left out. */
export interface ShareCard {
  title: string;
  /** The prominent line below the title, in the accent color. */
  loud: string;
  /** pixels; the largest font size of the prominent line `loud` */
  loudSize: number;
  /** Small print beside the prominent line. */
  aside: string;
  /** Small print on two lines. */
  text: string;
  /** The paths or URLs of pictures: one beside the texts, or up to three in a row below them. */
  pictures: readonly string[];
  /**
   * The layout. A page's title is larger than a deal's, which leaves room for the price and the
   * price line.
   */
  layout: 'deal' | 'page' | 'row';
  /** The label of the price line. */
  lineName: 'Price' | 'Lowest price';
  site: Pick<SiteSettings, 'siteName' | 'accent' | 'logoUrl'>;
}

/**
 * Returns the path of a share picture. The path contains a hash of everything that the picture
 * shows.
 */
export function sharePicturePath(kind: ShareKind, id: number, shown: object): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([version, shown]))
    .digest('hex');
  return `/share-pictures/${kind}-${id}-${hash.slice(0, 12)}.jpg`;
}

/** Returns the description of the picture for the head of its page. */
export function describePicture(path: string, alt: string) {
  return { path, type: 'image/jpeg' as const, ...shareSize, alt };
}
