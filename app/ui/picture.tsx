import type { ComponentProps, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { useMadeOnce } from './made-once.ts';
import styles from './picture.module.css';

interface Props extends Omit<ComponentProps<'img'>, 'src' | 'alt' | 'ref'> {
  src: string | null;
  alt: string;
  /** Sources for browsers that support AVIF, in place of `srcSet`. */
  avifSet?: string | undefined;
}

/**
 * Renders a picture, often from another host, loaded without a referrer. `instead` is shown if
 * there is no picture or it fails to load.
 */
export function Picture({ src, alt, avifSet, instead, ...rest }: Props & { instead: ReactNode }) {
  if (!src) return instead;
  const picture = (
    <img
      loading="lazy"
      {...rest}
      src={src}
      alt={alt}
      decoding="async"
      referrerPolicy="no-referrer"
      data-instead
    />
  );
  return (
    <>
      {avifSet ? (
        <picture className={styles.sources}>
          <source type="image/avif" srcSet={avifSet} sizes={rest.sizes} />
          {picture}
        </picture>
      ) : (
        picture
      )}
      <span className={styles.instead} data-key={src} hidden>
        {instead}
      </span>
    </>
  );
}

const tints = 6;

/** Renders a picture that fills a frame, or a neutral icon in it. */
export function FramedPicture({
  className = '',
  icon,
  iconSize = 40,
  tint,
  ...picture
}: Props & {
  icon: IconName;
  iconSize?: number;
  /** The tint behind the icon, so that many icons do not look monotonous. */
  tint?: number;
}) {
  const { alt } = picture;
  const content = useMadeOnce(`icon ${icon} ${iconSize}`, <Icon name={icon} size={iconSize} />);
  return (
    <span className={`${styles.frame} ${className}`}>
      <Picture
        {...picture}
        className={styles.picture}
        data-dim
        instead={
          <span
            className={styles.placeholder}
            data-tint={tint === undefined ? undefined : tint % tints}
            role={alt ? 'img' : undefined}
            aria-label={alt || undefined}
            {...content}
          />
        }
      />
    </span>
  );
}
