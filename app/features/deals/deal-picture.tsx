import { categoryIcon } from '#app/features/categories/category-icon.ts';
import { pictureSources } from '#app/features/pictures/picture-files.ts';
import { FramedPicture } from '#app/ui/picture.tsx';
import styles from './deal-picture.module.css';

interface DealPictureProps {
  src: string | null;
  alt: string;
  /** The deal's title, for the placeholder of a picture with an empty `alt`. */
  title?: string;
  sizes: string;
  /** The maximum width on the page, in pixels of a dense screen. */
  most?: number;
  /** Whether the picture loads at once, as in the first row. */
  isEager?: boolean;
  /** Whether the picture loads with priority. */
  isFirst?: boolean;
}

/** Renders a deal's picture in a 4:3 frame. */
export function DealPicture({
  src,
  alt,
  title = alt,
  sizes,
  most,
  isEager,
  isFirst,
}: DealPictureProps) {
  const sources = src === null ? { src } : pictureSources(src, most);
  return (
    <FramedPicture
      className={styles.frame}
      icon={categoryIcon({ name: title, icon: 'tag' })}
      tint={sumOf(title)}
      {...sources}
      sizes={'srcSet' in sources ? sizes : undefined}
      alt={alt}
      width={640}
      height={480}
      loading={isEager ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : undefined}
    />
  );
}

/** Returns a number that gives a deal the same tint on every page. */
function sumOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum += text.charCodeAt(at);
  return sum;
}
