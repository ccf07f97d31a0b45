import type { BlogPosting, BreadcrumbList, WithContext } from 'schema-dts';
import type { PostSummary } from '#app/features/blog/post-summary.ts';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';
import { absolute } from '#app/storefront/chrome/page-meta.ts';

/** Returns an article and its breadcrumbs as structured data. */
export function articleJsonLd(
  site: PublicSite,
  post: PostSummary & { updated_at: Date },
): [WithContext<BlogPosting>, WithContext<BreadcrumbList>] {
  const address = `${site.origin}/blog/${post.slug}`;
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'BlogPosting',
      headline: post.title,
      description: post.excerpt || undefined,
      url: address,
      mainEntityOfPage: address,
      image: post.featured_image_url ? absolute(post.featured_image_url, site.origin) : undefined,
      datePublished: post.shown_at.toISOString(),
      dateModified: post.updated_at.toISOString(),
      timeRequired: `PT${post.read_time}M`,
      keywords: post.tags,
      author: { '@type': 'Person', name: post.author },
      publisher: { '@type': 'Organization', name: site.name, url: `${site.origin}/` },
    },
    {
      '@context': 'https://schema.org',
      '@type': 'BreadcrumbList',
      itemListElement: [
        { '@type': 'ListItem', position: 1, name: 'Home', item: `${site.origin}/` },
        { '@type': 'ListItem', position: 2, name: 'Blog', item: `${site.origin}/blog` },
        { '@type': 'ListItem', position: 3, name: post.title, item: address },
      ],
    },
  ];
}
