import { FramedPicture } from '#app/ui/picture.tsx';
import styles from './deal-picture.module.css';

/** A deal's picture in a 4:3 frame. `isEager` is for the first row only, `isFirst` for what loads before all others. */
export function DealPicture({
  src,
  alt,
  sizes,
  isEager,
  isFirst,
}: {
  src: string | null;
  alt: string;
  sizes: string;
  isEager?: boolean;
  isFirst?: boolean;
}) {
  const smaller = src && smallerPicture(src);
  return (
    <FramedPicture
      className={styles.frame}
      icon="tag"
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

/** Pictures that we store come in two widths, `name-640.webp` and `name-320.webp`. */
function smallerPicture(src: string): string | null {
  return /^\/media\/.+-640\.(webp|avif)$/.test(src) ? src.replace(/-640\.(\w+)$/, '-320.$1') : null;
}
