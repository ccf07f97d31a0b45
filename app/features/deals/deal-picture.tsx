import { useState } from 'react';
import { Icon } from '#app/ui/icon.tsx';
import styles from './deal-picture.module.css';

/**
 * A deal's picture in a 4:3 frame. Merchants' own pictures load from their hosts without a referrer; where one
 * fails, or there is none, a calm placeholder stands. `isEager` is for the first row only.
 */
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
  const [hasFailed, setHasFailed] = useState(false);
  if (!src || hasFailed) {
    return (
      <span className={styles.frame} role={alt ? 'img' : undefined} aria-label={alt || undefined}>
        <span className={styles.placeholder}>
          <Icon name="tag" size={40} />
        </span>
      </span>
    );
  }
  const smaller = smallerPicture(src);
  return (
    <span className={styles.frame}>
      <img
        className={styles.picture}
        src={src}
        srcSet={smaller ? `${smaller} 320w, ${src} 640w` : undefined}
        sizes={smaller ? sizes : undefined}
        alt={alt}
        width={640}
        height={480}
        data-dim
        loading={isEager ? 'eager' : 'lazy'}
        decoding="async"
        fetchPriority={isFirst ? 'high' : undefined}
        referrerPolicy="no-referrer"
        onError={() => setHasFailed(true)}
        ref={(image) => {
          // A picture that failed before the page came alive never tells: ask it.
          if (image?.complete && image.naturalWidth === 0 && image.currentSrc) setHasFailed(true);
        }}
      />
    </span>
  );
}

/** Pictures that we store come in two widths, `name-640.webp` and `name-320.webp`. */
function smallerPicture(src: string): string | null {
  return /^\/media\/.+-640\.(webp|avif)$/.test(src) ? src.replace(/-640\.(\w+)$/, '-320.$1') : null;
}
