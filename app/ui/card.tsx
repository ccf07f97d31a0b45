import type { ComponentProps, ReactNode } from 'react';
import styles from './card.module.css';
import { Link } from './link.tsx';
import { useMadeAround } from './made-once.ts';

/**
 * Renders a picture, a title, its details, and a footer. The title's link covers the card, and
 * other controls are above it.
 */
export function Card({
  className,
  picture,
  renderPicture,
  meta,
  title,
  to,
  headingLevel = 3,
  children,
  foot,
  own,
  sameAs = null,
  ...rest
}: Omit<ComponentProps<'article'>, 'title'> & {
  picture?: ReactNode;
  /** Renders the card's picture together with the `own` content. */
  renderPicture?: (own: ReactNode) => ReactNode;
  /** The line above the title. */
  meta?: ReactNode;
  title: string;
  to: string;
  headingLevel?: 2 | 3;
  foot?: ReactNode;
  /** Visitor-specific content, which `renderPicture` places. */
  own?: ReactNode;
  /**
   * A key of everything that varies in the card except `own`, if its markup is worth caching
   * (`useMadeAround`).
   */
  sameAs?: string | null;
}) {
  const Heading = `h${headingLevel}` as const;
  const content = useMadeAround(
    sameAs && `card ${sameAs}`,
    (placed) => (
      <>
        {renderPicture ? renderPicture(placed) : picture}
        <div className={styles.body}>
          {meta ? <p className={styles.meta}>{meta}</p> : null}
          <Heading className={styles.title}>
            <Link to={to} className={`plain-link ${styles.link}`}>
              {title}
            </Link>
          </Heading>
          {children}
          {foot ? <div className={styles.foot}>{foot}</div> : null}
        </div>
      </>
    ),
    own,
  );
  return <article {...rest} className={`${styles.card} ${className}`} {...content} />;
}
