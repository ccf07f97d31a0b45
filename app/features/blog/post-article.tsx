import { longDate } from '#app/platform/time-words.ts';
import type { ReactNode } from 'react';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import styles from './post-article.module.css';
import { PostPicture } from './post-picture.tsx';
import type { PostSummary } from './post-summary.ts';
import prose from './prose.module.css';

interface PostArticleProps {
  post: Omit<PostSummary, 'id' | 'slug'> & { content: string };
  headingLevel?: 1 | 2;
  share?: ReactNode;
  /** Renders a tag as a link; absent if tags are plain text. */
  renderTag?: (tag: string) => ReactNode;
}

/** Renders a complete post. `content` is shown unchanged, so sanitise it first. */
export function PostArticle({ post, headingLevel = 1, share, renderTag }: PostArticleProps) {
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
      <div className={styles.picture}>
        <PostPicture src={post.featured_image_url} isEager isLarge />
      </div>
      {post.excerpt ? <p className={styles.excerpt}>{post.excerpt}</p> : null}
      <div
        className={`${prose.prose} ${styles.text}`}
        dangerouslySetInnerHTML={{ __html: post.content }}
      />
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
