import { pictureSources } from '#app/features/pictures/picture-files.ts';
import { FramedPicture } from '#app/ui/picture.tsx';
import styles from './post-picture.module.css';

interface PostPictureProps {
  src: string | null;
  isEager?: boolean;
  isLarge?: boolean;
}

/** Renders a post's picture in a ratio that crops both photos and 4:3 drawings only a little. */
export function PostPicture({ src, isEager, isLarge }: PostPictureProps) {
  const sources = src === null ? { src } : pictureSources(src, isLarge ? 960 : 640);
  const sizes = isLarge ? '(width < 56rem) 100vw, 40rem' : '(width < 40rem) 100vw, 24rem';
  return (
    <FramedPicture
      className={isLarge ? `${styles.frame} ${styles.large}` : styles.frame}
      icon="book"
      iconSize={isLarge ? 56 : 40}
      {...sources}
      sizes={'srcSet' in sources ? sizes : undefined}
      alt=""
      width={960}
      height={640}
      loading={isEager ? 'eager' : 'lazy'}
      fetchPriority={isLarge ? 'high' : undefined}
    />
  );
}
