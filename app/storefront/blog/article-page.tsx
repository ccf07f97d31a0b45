import { redirect } from 'react-router';
import type { Route } from './+types/article-page';
import { BlogCard } from '#app/features/blog/blog-card.tsx';
import {
  findPostBySlug,
  findPostRedirect,
  listRelatedPosts,
} from '#app/features/blog/blog-queries.server.ts';
import { describePost } from '#app/features/blog/describe-post.ts';
import { PostArticle } from '#app/features/blog/post-article.tsx';
import { PricedDealCard } from '#app/features/prices/priced-deal-card.tsx';
import { showPostContent } from '#app/features/products/show-post.server.ts';
import { sharePost } from '#app/features/share-pictures/share-page.server.ts';
import { cachedSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { DealActions } from '#app/storefront/chrome/deal-actions.tsx';
import { Slot } from '#app/features/slots/slot.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { missingMeta, pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { answerNotFound } from '#app/storefront/not-found/answer-not-found.server.ts';
import { DidYouMean, nearestOf } from '#app/storefront/not-found/did-you-mean.tsx';
import { Breadcrumbs } from '#app/ui/breadcrumbs.tsx';
import { PrimaryLink } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { TitledSection } from '#app/ui/titled-section.tsx';
import { ShareButton } from '#app/ui/share-button.tsx';
import { articleJsonLd } from './article-json-ld.ts';
import { BlogCallToAction } from './blog-call-to-action.tsx';
import styles from './article-page.module.css';

const relatedPosts = 3;

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const services = appServices(context);
  const { db, now } = services;
  const found = await findPostBySlug(db, params.slug);
  if (!found) {
    const slug = await findPostRedirect(db, params.slug);
    throw slug ? redirect(`/blog/${slug}`, 301) : await answerNotFound(context, request);
  }
  const related = await listRelatedPosts(db, found, relatedPosts);
  const { content, ...post } = found;
  const settings = await cachedSettings(services);
  const { parts, tags, until } = await showPostContent(services, content, settings);
  allowPageCache(context, ['blog', ...tags], until);
  const { featured_image_url: own } = post;
  // Only stored pictures can be drawn into a share picture, so any other picture is shared as it
  // is.
  const image = own && !own.startsWith('/media/') ? own : sharePost(post, settings).image;
  return { post, image, parts, related, now: now() };
}

export function meta(page: Route.MetaArgs) {
  const { matches, loaderData } = page;
  if (!loaderData) return missingMeta(page, 'This article does not exist.', 'Article Not Found');
  const { site } = matches[0].loaderData ?? {};
  const { post, image } = loaderData;
  return pageMeta({
    site,
    path: `/blog/${post.slug}`,
    ...describePost(post),
    image,
    isIndexed: !post.noindex,
    type: 'article',
    feedPath: '/feeds/blog.xml',
    jsonLd: site ? articleJsonLd(site, post) : [],
  });
}

export default function ArticlePage({ loaderData }: Route.ComponentProps) {
  const { post, parts, related, now } = loaderData;
  const { origin } = useSite();
  return (
    <div className={styles.page}>
      <div className={styles.article}>
        <Breadcrumbs
          crumbs={[
            { label: 'Home', to: '/' },
            { label: 'Blog', to: '/blog' },
            { label: post.title, to: null },
          ]}
        />
        <PostArticle
          post={post}
          parts={parts}
          renderDeal={(priced) => (
            <PricedDealCard
              priced={priced}
              now={now}
              headingLevel={2}
              actions={<DealActions deal={priced.deal} price={priced.price?.now ?? null} />}
            />
          )}
          share={<ShareButton title={post.title} url={`${origin}/blog/${post.slug}`} />}
          renderTag={(tag) => <a href={`/blog/tags/${encodeURIComponent(tag)}`}>{tag}</a>}
        />
      </div>
      <Slot place="article" />
      {related.length > 0 ? (
        <TitledSection id="related-articles" title="Related Articles">
          <ul className={styles.related}>
            {related.map((other) => (
              <li key={other.id}>
                <BlogCard post={other} />
              </li>
            ))}
          </ul>
        </TitledSection>
      ) : null}
      <BlogCallToAction />
    </div>
  );
}

/** Shows the same screen for a missing article and for an error. The log has the reason. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <MessagePanel
      icon="book"
      level={1}
      title="Article Not Found"
      actions={<PrimaryLink to="/blog">Back to Blog</PrimaryLink>}
    >
      <p>The article you&apos;re looking for doesn&apos;t exist or has been removed.</p>
      <DidYouMean nearest={nearestOf(error)} />
    </MessagePanel>
  );
}
