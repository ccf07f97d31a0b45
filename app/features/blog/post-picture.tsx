import { FramedPicture } from '#app/ui/picture.tsx';
import styles from './post-picture.module.css';

interface PostPictureProps {
  src: string | null;
  isEager?: boolean;
  isLarge?: boolean;
}

/** Renders a post's picture in a ratio that crops both photos and 4:3 drawings only a little. */
export function PostPicture({ src, isEager, isLarge }: PostPictureProps) {
  return (
    <FramedPicture
      className={isLarge ? `${styles.frame} ${styles.large}` : styles.frame}
      icon="book"
      iconSize={isLarge ? 56 : 40}
      src={src}
      alt=""
      width={960}
      height={640}
      loading={isEager ? 'eager' : 'lazy'}
      fetchPriority={isLarge ? 'high' : undefined}
    />
  );
}
