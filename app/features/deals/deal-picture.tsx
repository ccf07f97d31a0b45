import { FramedPicture } from '#app/ui/picture.tsx';
import styles from './deal-picture.module.css';

interface DealPictureProps {
  src: string | null;
  alt: string;
  sizes: string;
  /** For the first row only. */
  isEager?: boolean;
  /** Loads before all others. */
  isFirst?: boolean;
}

/** A deal's picture in a 4:3 frame. */
export function DealPicture({ src, alt, sizes, isEager, isFirst }: DealPictureProps) {
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
