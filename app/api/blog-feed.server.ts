import { listPostsForFeed } from '#app/features/blog/blog-queries.server.ts';
import { linkDeals } from '#app/features/blog/content-deals.ts';
import { sanitisePost } from '#app/features/blog/sanitise-post.server.ts';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';
import type { Db } from '#database/connect.ts';
import type { FeedDocument } from './feed-document.ts';

const entriesInFeed = 20;

/** Returns the feed of the newest posts with their full text. */
export async function readBlogFeed(db: Db, site: PublicSite): Promise<FeedDocument> {
  const posts = await listPostsForFeed(db, entriesInFeed);
  return {
    title: `${site.name} Blog`,
    description: 'Buying guides, and how to tell a real discount from a made-up one.',
    homePath: '/blog',
    query: '',
    entries: posts.map((post) => ({
      permanentPath: `/blog#post-${post.id}`,
      path: `/blog/${post.slug}`,
      title: post.title,
      // Feed readers show the post elsewhere, so internal paths need the origin.
      html: sanitisePost(linkDeals(post.content), site.origin, { hasFullAddresses: true }),
      summary: post.excerpt,
      image: post.featured_image_url,
      author: post.author,
      publishedAt: post.shown_at,
      changedAt: post.updated_at > post.shown_at ? post.updated_at : post.shown_at,
      categories: post.tags,
    })),
  };
}
