import { longDate } from '#app/platform/time-words.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { Card } from '#app/ui/card.tsx';
import card from '#app/ui/card.module.css';
import { Icon } from '#app/ui/icon.tsx';
import type { PostSummary } from './post-summary.ts';
import { PostPicture } from './post-picture.tsx';
import styles from './blog-card.module.css';

interface BlogCardProps {
  post: PostSummary;
  headingLevel?: 2 | 3;
  isEager?: boolean;
}

/** Renders one post in a list. */
export function BlogCard({ post, headingLevel, isEager }: BlogCardProps) {
  const { timeZone } = useSite();
  return (
    <Card
      className={styles.card}
      picture={<PostPicture src={post.featured_image_url} isEager={isEager} />}
      meta={
        <>
          <time dateTime={post.shown_at.toISOString()}>{longDate(post.shown_at, timeZone)}</time>
          <span>{post.read_time} min read</span>
        </>
      }
      title={post.title}
      to={`/blog/${post.slug}`}
      headingLevel={headingLevel}
      foot={
        <p className={card.line}>
          <span>{post.author}</span>
          {/* The title is the link with an accessible name. This text is for sighted readers. */}
          <span className={card.more} aria-hidden="true">
            Read More
            <Icon name="arrow-right" size={16} />
          </span>
        </p>
      }
    >
      {post.excerpt ? <p className={card.text}>{post.excerpt}</p> : null}
    </Card>
  );
}
