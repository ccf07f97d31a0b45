import { categoryIcon } from '#app/features/categories/category-icon.ts';
import { FramedPicture } from '#app/ui/picture.tsx';
import styles from './deal-picture.module.css';

interface DealPictureProps {
  src: string | null;
  alt: string;
  /** The deal's title, where the picture is said to be nothing (`alt`): what stands in its place follows from it. */
  title?: string;
  sizes: string;
  /** For the first row only. */
  isEager?: boolean;
  /** Loads before all others. */
  isFirst?: boolean;
}

/** A deal's picture in a 4:3 frame. */
export function DealPicture({ src, alt, title = alt, sizes, isEager, isFirst }: DealPictureProps) {
  const smaller = src && smallerPicture(src);
  return (
    <FramedPicture
      className={styles.frame}
      icon={categoryIcon({ name: title, icon: 'tag' })}
      tint={sumOf(title)}
      src={src}
      srcSet={smaller ? `${smaller} 320w, ${src} 640w` : undefined}
      sizes={smaller ? sizes : undefined}
      alt={alt}
      width={640}
      height={480}
      loading={isEager ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : undefined}
    />
  );
}

/** The same deal has the same tint everywhere. */
function sumOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum += text.charCodeAt(at);
  return sum;
}

/** Pictures that we store come in two widths, `name-640.webp` and `name-320.webp`. */
function smallerPicture(src: string): string | null {
  return /^\/media\/.+-640\.(webp|avif)$/.test(src) ? src.replace(/-640\.(\w+)$/, '-320.$1') : null;
}
