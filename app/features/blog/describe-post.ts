import type { SearchTexts } from '#app/features/catalog/search-fields.ts';

/** Returns the head of a post's page. */
export function describePost({
  title,
  excerpt,
  featured_image_url,
  seo_title,
  seo_description,
  share_text,
}: Partial<SearchTexts> & { title: string; excerpt: string; featured_image_url: string | null }) {
  return {
    title: seo_title || title,
    description: seo_description || excerpt || title,
    shareText: share_text || null,
    image: featured_image_url,
  };
}
