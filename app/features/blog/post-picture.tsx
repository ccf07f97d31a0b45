import { useState } from 'react';
import { Icon } from '#app/ui/icon.tsx';
import styles from './post-picture.module.css';

/** A post's picture in a 16:9 frame, or a calm placeholder where there is none or it does not load. */
export function PostPicture({
  src,
  isEager,
  isLarge,
}: {
  src: string | null;
  isEager?: boolean;
  isLarge?: boolean;
}) {
  const [hasFailed, setHasFailed] = useState(false);
  return (
    <span className={styles.frame} data-large={isLarge || undefined}>
      {src && !hasFailed ? (
        <img
          className={styles.picture}
          src={src}
          alt=""
          width={960}
          height={540}
          data-dim
          loading={isEager ? 'eager' : 'lazy'}
          decoding="async"
          fetchPriority={isLarge ? 'high' : undefined}
          referrerPolicy="no-referrer"
          onError={() => setHasFailed(true)}
          ref={(image) => {
            // A picture that failed before the page came alive never tells: ask it.
            if (image?.complete && image.naturalWidth === 0 && image.currentSrc) setHasFailed(true);
          }}
        />
      ) : (
        <span className={styles.placeholder}>
          <Icon name="book" size={isLarge ? 56 : 40} />
        </span>
      )}
    </span>
  );
}
