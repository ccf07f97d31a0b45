import type { ComponentProps, ReactNode } from 'react';
import styles from './card.module.css';
import { Link } from './link.tsx';

/** A picture, a title, what is said of it, and a foot. The title's link covers the card; what else it has lies above that. */
export function Card({
  className,
  picture,
  meta,
  title,
  to,
  headingLevel = 3,
  children,
  foot,
  ...rest
}: Omit<ComponentProps<'article'>, 'title'> & {
  picture: ReactNode;
  /** The line above the title. */
  meta?: ReactNode;
  title: string;
  to: string;
  headingLevel?: 2 | 3;
  foot?: ReactNode;
}) {
  const Heading = `h${headingLevel}` as const;
  return (
    <article {...rest} className={`${styles.card} ${className}`}>
      {picture}
      <div className={styles.body}>
        {meta ? <p className={styles.meta}>{meta}</p> : null}
        <Heading className={styles.title}>
          <Link to={to} className={styles.link}>
            {title}
          </Link>
        </Heading>
        {children}
        {foot ? <div className={styles.foot}>{foot}</div> : null}
      </div>
    </article>
  );
}
