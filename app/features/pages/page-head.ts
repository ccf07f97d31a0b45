import type { SearchTexts } from '#app/features/catalog/search-fields.ts';

/** Returns the head of one of the owner's pages. */
export function describePage({
  title,
  intro,
  seo_title,
  seo_description,
  share_text,
}: Partial<SearchTexts> & { title: string; intro: string }) {
  return {
    title: seo_title || title,
    description: seo_description || intro || title,
    shareText: share_text || null,
    image: null,
  };
}
