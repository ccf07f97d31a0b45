import { data } from 'react-router';
import type { Route } from './+types/blog-tag-page';
import { BlogCard } from '#app/features/blog/blog-card.tsx';
import { listPostsByTag } from '#app/features/blog/blog-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { PrimaryLink } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { BlogCallToAction } from './blog-call-to-action.tsx';
import styles from './blog-page.module.css';

export async function loader({ context, params }: Route.LoaderArgs) {
  const found = await listPostsByTag(appServices(context).db, params.tag);
  if (!found) throw data(null, { status: 404 });
  return found;
}

export function meta({ matches, loaderData, location }: Route.MetaArgs) {
  const tag = loaderData?.tag;
  return pageMeta({
    site: matches[0].loaderData?.site,
    path: tag ? `/blog/tags/${encodeURIComponent(tag)}` : location.pathname,
    title: tag ? `Articles on ${tag}` : 'No articles found',
    description: `All articles tagged ${tag ?? ''}.`,
    // Not indexed, since the page only repeats posts of the blog.
    isIndexed: false,
  });
}

export default function BlogTagPage({ loaderData }: Route.ComponentProps) {
  const { tag, posts } = loaderData;
  return (
    <>
      <PageHeading title={`Articles on “${tag}”`}>
        {posts.length} {posts.length === 1 ? 'article' : 'articles'}, newest first.{' '}
        <a href="/blog">All articles</a>
      </PageHeading>
      <div className={styles.sections}>
        <ul className={styles.grid} data-fills>
          {posts.map((post, index) => (
            <li key={post.id}>
              <BlogCard post={post} headingLevel={2} isEager={index < 3} />
            </li>
          ))}
        </ul>
        <BlogCallToAction />
      </div>
    </>
  );
}

export function ErrorBoundary() {
  return (
    <MessagePanel
      icon="book"
      level={1}
      title="No articles found"
      actions={<PrimaryLink to="/blog">Back to Blog</PrimaryLink>}
    >
      No articles have this tag.
    </MessagePanel>
  );
}
