import type { Route } from './+types/blog-page';
import { BlogCard } from '#app/features/blog/blog-card.tsx';
import { listFeaturedPosts, listPosts } from '#app/features/blog/blog-queries.server.ts';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { leadToLastPage, parsePageNumber } from '#app/platform/page-number.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { PrimaryLink } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { pageHref } from '#app/ui/page-window.ts';
import { Pager } from '#app/ui/pager.tsx';
import { TitledSection } from '#app/ui/titled-section.tsx';
import { BlogCallToAction } from './blog-call-to-action.tsx';
import styles from './blog-page.module.css';

const featuredPosts = 2;

export async function loader({ context, request }: Route.LoaderArgs) {
  const { db } = appServices(context);
  const featured = await listFeaturedPosts(db, featuredPosts);
  const latest = await listPosts(db, {
    page: parsePageNumber(new URL(request.url).searchParams),
    besides: featured.map(({ id }) => id),
  });
  leadToLastPage(request, latest.pageCount);
  allowPageCache(context, ['blog']);
  // Featured posts are on the first page only, since they would push the list down on later pages.
  return { featured: latest.page === 1 ? featured : [], latest };
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const site = matches[0].loaderData?.site;
  const page = loaderData?.latest.page ?? 1;
  const pageCount = loaderData?.latest.pageCount ?? 1;
  return pageMeta({
    site,
    path: pageHref('/blog', page),
    title: page > 1 ? `Blog, page ${page}` : 'Blog',
    description: 'Buying guides, and how to tell a real discount from a made-up one.',
    feedPath: '/feeds/blog.xml',
    previousPath: page > 1 ? pageHref('/blog', page - 1) : null,
    nextPath: page < pageCount ? pageHref('/blog', page + 1) : null,
  });
}

export default function BlogPage({ loaderData }: Route.ComponentProps) {
  const { featured, latest } = loaderData;
  const { name } = useSite();
  const isEmpty = featured.length + latest.posts.length === 0;
  return (
    <>
      <PageHeading title={`${name} Blog`}>
        Buying guides, and how to tell a real discount from a made-up one.
      </PageHeading>
      {isEmpty ? (
        <MessagePanel
          icon="book"
          title="No articles yet"
          actions={<PrimaryLink to="/">Back to Home</PrimaryLink>}
        >
          The first article is still being written.
        </MessagePanel>
      ) : (
        <div className={styles.sections}>
          {featured.length > 0 ? (
            <TitledSection id="featured-articles" title="Featured Articles">
              <ul className={styles.featured}>
                {featured.map((post) => (
                  <li key={post.id}>
                    <BlogCard post={post} isEager />
                  </li>
                ))}
              </ul>
            </TitledSection>
          ) : null}
          {latest.posts.length > 0 ? (
            <TitledSection id="latest-articles" title="Latest Articles">
              <ul className={styles.grid} data-fills>
                {latest.posts.map((post, index) => (
                  <li key={post.id}>
                    <BlogCard post={post} isEager={featured.length === 0 && index < 3} />
                  </li>
                ))}
              </ul>
              <Pager
                page={latest.page}
                pageCount={latest.pageCount}
                hrefOf={(other) => pageHref('/blog', other)}
                label="Pages of articles"
              />
            </TitledSection>
          ) : null}
          <BlogCallToAction />
        </div>
      )}
    </>
  );
}
