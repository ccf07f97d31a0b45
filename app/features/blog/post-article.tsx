import { longDate } from '#app/platform/time-words.ts';
import type { ReactNode } from 'react';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { beginsWith, hasPicture } from './post-beginning.ts';
import styles from './post-article.module.css';
import { PostPicture } from './post-picture.tsx';
import type { PostSummary } from './post-summary.ts';
import prose from './prose.module.css';

interface PostArticleProps<Deal extends object> {
  post: Omit<PostSummary, 'id' | 'slug'>;
  /** The content: deals, and HTML that must be sanitized already, since it is shown unchanged. */
  parts: readonly (string | Deal)[];
  renderDeal: (deal: Deal) => ReactNode;
  headingLevel?: 1 | 2;
  share?: ReactNode;
  /** Renders a tag as a link; absent if tags are plain text. */
  renderTag?: (tag: string) => ReactNode;
}

/** Renders a complete post. */
export function PostArticle<Deal extends object>({
  post,
  parts,
  renderDeal,
  headingLevel = 1,
  share,
  renderTag,
}: PostArticleProps<Deal>) {
  const { timeZone } = useSite();
  const Heading = `h${headingLevel}` as const;
  return (
    <article className={styles.article}>
      <header className={`stack gap-3 ${styles.head}`}>
        <Heading>{post.title}</Heading>
        <div className={styles.line}>
          <p className={styles.meta}>
            <span>By {post.author}</span>
            <time dateTime={post.shown_at.toISOString()}>{longDate(post.shown_at, timeZone)}</time>
            <span>{post.read_time} min read</span>
          </p>
          {share}
        </div>
      </header>
      {hasPicture(parts, post.featured_image_url) ? null : (
        <div className={styles.picture}>
          <PostPicture src={post.featured_image_url} isEager isLarge />
        </div>
      )}
      {post.excerpt && !beginsWith(parts, post.excerpt) ? (
        <p className={styles.excerpt}>{post.excerpt}</p>
      ) : null}
      <div className={styles.text}>
        {/* The order of the parts never changes on a page, so their positions can be keys. */}
        {[...parts.entries()].map(([place, part]) =>
          typeof part === 'string' ? (
            <div key={place} className={prose.prose} dangerouslySetInnerHTML={{ __html: part }} />
          ) : (
            <div key={place} className={styles.deal}>
              {renderDeal(part)}
            </div>
          ),
        )}
      </div>
      {post.tags.length > 0 ? (
        <ul className={styles.tags} aria-label="Tags">
          {post.tags.map((tag) => (
            <li key={tag}>{renderTag ? renderTag(tag) : <span>{tag}</span>}</li>
          ))}
        </ul>
      ) : null}
    </article>
  );
}
