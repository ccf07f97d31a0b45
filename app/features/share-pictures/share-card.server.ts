import { createHash } from 'node:crypto';
import type { SiteSettings } from '#app/features/site-settings/site-settings.ts';

/** Increase this number if the drawing changes, because caches keep an address for an hour. */
const version = 3;
/** pixels; the size that link previews of most services show whole */
export const shareSize = { width: 1200, height: 630 } as const;

export type ShareKind = 'deal' | 'product' | 'category' | 'merchant' | 'post';

/** The contents of a share picture, from top to bottom. An empty text is left out. */
export interface ShareCard {
  title: string;
  /** The line below the title, in the accent color. */
  loud: string;
  /** pixels; the largest size of that line */
  loudSize: number;
  /** Small print beside that line. */
  aside: string;
  /** Small print on two lines. */
  text: string;
  /** Paths or addresses: one picture beside the texts, or up to three in a row below them. */
  pictures: readonly string[];
  /** A page's title is larger than a deal's, which leaves room for price and price line. */
  layout: 'deal' | 'page' | 'row';
  /** The name of the price line. */
  lineName: 'Price' | 'Lowest price';
  site: Pick<SiteSettings, 'siteName' | 'accent' | 'logoUrl'>;
}

/** Returns the path of a share picture, which names all that the picture shows. */
export function sharePicturePath(kind: ShareKind, id: number, shown: object): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([version, shown]))
    .digest('hex');
  return `/share-pictures/${kind}-${id}-${hash.slice(0, 12)}.jpg`;
}

/** Returns the picture as the head of its page describes it. */
export function describePicture(path: string, alt: string) {
  return { path, type: 'image/jpeg' as const, ...shareSize, alt };
}
