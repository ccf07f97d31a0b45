import { Link } from 'react-router';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { formatPostDate, type PostSummary } from './post-summary.ts';
import { PostPicture } from './post-picture.tsx';
import styles from './blog-card.module.css';

/** One post in a list. The title's link covers the whole card. */
export function BlogCard({
  post,
  headingLevel = 3,
  isEager,
}: {
  post: PostSummary;
  headingLevel?: 2 | 3;
  isEager?: boolean;
}) {
  const { timeZone } = useSite();
  const Heading = `h${headingLevel}` as const;
  return (
    <article className={styles.card}>
      <PostPicture src={post.featured_image_url} isEager={isEager} />
      <div className={styles.body}>
        <p className={styles.meta}>
          <time dateTime={post.shown_at.toISOString()}>
            {formatPostDate(post.shown_at, timeZone)}
          </time>
          <span>{post.read_time} min read</span>
        </p>
        <Heading className={styles.title}>
          <Link to={`/blog/${post.slug}`} prefetch="intent" className={styles.link}>
            {post.title}
          </Link>
        </Heading>
        {post.excerpt ? <p className={styles.excerpt}>{post.excerpt}</p> : null}
        <p className={styles.foot}>
          <span>{post.author}</span>
          {/* The title is the link and says where it leads; this is what the eye expects below it. */}
          <span className={styles.more} aria-hidden="true">
            Read More
            <Icon name="arrow-right" size={16} />
          </span>
        </p>
      </div>
    </article>
  );
}
